"""Writes every generated page and schema."""

from server.page.files import files

for path, text in files().items():
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
