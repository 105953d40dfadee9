"""The SDK for authors of bots (`bots.sdk`), and the house bots, each in a package of its own."""
