import ArgumentParser
import FirnPlatform

// Without the handlers, a signal would end the process between two steps of a cycle.
try? Signals.install()
SyncCommand.main(Array(Environment.arguments.dropFirst()))
