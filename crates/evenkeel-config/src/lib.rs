//! Configuration files of Evenkeel and of the programs it replaces, with errors that say what to write instead.
