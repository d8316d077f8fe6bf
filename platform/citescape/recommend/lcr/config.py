"""Names of the splits and candidates of a benchmark of sentences."""

ALL, TRAINING = "all", "training"
CANDIDATES = {
    ALL: "every known work",
    TRAINING: "papers of the training sentences, as in published benchmarks",
}
TRAIN, VALIDATION, TEST = "train", "val", "test"
