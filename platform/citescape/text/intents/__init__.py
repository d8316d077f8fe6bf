"""Why a work is cited: background, method, result."""
