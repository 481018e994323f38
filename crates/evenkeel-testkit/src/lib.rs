//! Real servers, scripted nodes and a load generator for Evenkeel's tests.
