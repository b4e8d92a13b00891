import FirnEngine
import FirnFormats
import FirnValues

/// The progress of passes over the objects of classes, which a signal ends.
final class ConversionProgress {
    private static let objectsPerCheck: UInt64 = 1_024

    private let line: Progress
    private let environment: CommandEnvironment
    private var label = ""
    private var done: UInt64 = 0
    private var total: UInt64 = 0

    init(_ line: Progress, _ environment: CommandEnvironment) {
        self.line = line
        self.environment = environment
    }

    /// Begins a pass over the objects of a class.
    func begin(_ verb: String, _ property: String, _ count: UInt64) throws(CommandFailure) {
        try environment.checkSignals()
        label = "\(verb) \(property)"
        done = 0
        total = count
    }

    /// Counts an object.
    ///
    /// - Throws: ``StoreError`` with `cancelled` after a signal.
    func advance() throws(StoreError) {
        done += 1
        guard done % ConversionProgress.objectsPerCheck == 0 else { return }
        try show()
    }

    /// Sets the number of objects that are done.
    ///
    /// - Throws: ``StoreError`` with `cancelled` after a signal.
    func advance(to count: Int) throws(StoreError) {
        done = UInt64(clamping: count)
        try show()
    }

    private func show() throws(StoreError) {
        line.update(label, done: done, of: total, .objects)
        guard environment.pendingSignal() != nil else { return }
        throw StoreError(.cancelled, path: "", detail: "the conversion was given up")
    }

    func checkSignals() throws(CommandFailure) { try environment.checkSignals() }

    /// Runs a pass; a signal that ended it takes precedence over its error.
    func converting(_ body: () throws(StoreError) -> Void) throws(CommandFailure) {
        do { try body() } catch {
            try environment.checkSignals()
            throw CommandFailure(error)
        }
    }
}
