import FirnCodec
import FirnValues

/// Recording what the caller did, and only that: what follows from it (links that become nil,
/// embedded objects that go with their parents) follows again when it is done again.
///
///     try beginOperation()
///     defer { endOperation() }
///     ...
///     try record(.set(classID, row, property, value))
extension WriteTransaction {
    /// Begins an operation, maybe inside of another.
    ///
    /// - Throws: if the transaction has ended, or is so large that it has to write pages and cannot.
    func beginOperation() throws(StoreError) {
        try checkOpen()
        if operationDepth == 0 { try becomeBulkIfLarge() }
        operationDepth += 1
    }

    /// What would make a large frame is better written as pages at once.
    func becomeBulkIfLarge() throws(StoreError) {
        guard let byteCount = recorded?.byteCount,
            byteCount > store.options.recordedByteCountMaximum
        else { return }
        try becomeBulk()
    }

    func endOperation() { operationDepth -= 1 }

    /// Notes that the operation under way was done, unless it is a part of another.
    func record(_ operation: @autoclosure () -> Operation) throws(StoreError) {
        try recording { recorded throws(CodecError) in try recorded?.append(operation()) }
    }

    /// The same for an operation that takes something away and adds nothing.
    func recordRemoval(_ operation: @autoclosure () -> Operation) throws(StoreError) {
        try record(operation())
        if operationDepth == 1 { removalCount += 1 }
    }

    /// The same for operations that are made so often that even their case counts.
    @inline(__always)
    func recording(
        _ append: (inout RecordedOperations?) throws(CodecError) -> Void
    ) throws(StoreError) {
        guard operationDepth == 1 else { return }
        hasChanges = true
        operationCount += 1
        guard recorded != nil else { return }
        do throws(CodecError) {
            try append(&recorded)
        } catch {
            // It is done and must not be committed without a record.
            rollback()
            throw StoreError(.limitExceeded, path: store.path, detail: error.reason)
        }
    }
}
