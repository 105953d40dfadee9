"""Power cuts: what a real store asked of the file system is recorded, and after every moment of it some of what was not
yet synchronised is lost. What was acknowledged has to be there all the same."""
