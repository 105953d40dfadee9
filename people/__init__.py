"""The person's side of every screen: turns messages into lines and typed lines into requests. No terminal or socket."""
