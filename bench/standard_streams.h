// Standard output that may be closed, full, or a pipe whose reader has left.
//
// A closed descriptor must not be given to the next file that is opened, a lost result must not exit with 0, and
// `dtbench ... | head -1` must end quietly.
#pragma once

namespace dtbench {

/// Occupies closed descriptors 0 to 2 and turns SIGPIPE into write errors, so that files are still completed when the
/// reader of standard output has left.
void prepare_standard_streams();

/// Flushes standard output. Returns `status`, or run_failed (with a message) when what was printed could not be
/// written; a pipe whose reader has left is no failure.
int finish_standard_output(int status);

/// Whether printing to standard output can succeed at all.
bool standard_output_is_open();

}  // namespace dtbench
