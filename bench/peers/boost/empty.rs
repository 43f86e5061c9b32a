// Nothing: cargo wants a source file.
