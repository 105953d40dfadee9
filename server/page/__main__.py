"""Writes every generated page and schema."""

from server.page.files import render_files

for path, text in render_files().items():
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
