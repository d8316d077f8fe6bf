"""Reading the text: section types, citation intents, abstract parts."""
