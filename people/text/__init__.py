"""Text for people: reads the lines that they type, and writes the sentences that they are shown."""
