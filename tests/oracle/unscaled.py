"""Oracles compute with the numbers of the file: `train` scales tables unless it is told not to."""


def unscaled(args):
    """The words of a command, with --scale none behind those of `train` that do not say."""
    words = list(args)
    if words[:1] == ["train"] and "--scale" not in words:
        words += ["--scale", "none"]
    return words
