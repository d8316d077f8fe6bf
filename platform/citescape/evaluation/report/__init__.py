"""What an evaluation found, as a page to read, a text to paste and pictures to print."""
