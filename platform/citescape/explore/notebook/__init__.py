"""Citation networks in notebooks: a widget, and a picture that saved notebooks keep."""
