import FirnCodec
import FirnValues

/// Recording what the caller did, and only that: what follows from it (links that become nil,
/// embedded objects that go with their parents) follows again when it is done again.
///
///     try beginOperation()
///     defer { endOperation() }
///     ...
///     record(.set(classID, row, property, value))
extension WriteTransaction {
    /// Begins an operation, maybe inside of another.
    ///
    /// - Throws: if the transaction has ended, or is so large that it has to write pages and cannot.
    func beginOperation() throws(StoreError) {
        try checkOpen()
        if operationDepth == 0 { try becomeBulkIfLarge() }
        operationDepth += 1
    }

    func endOperation() { operationDepth -= 1 }

    /// Notes that the operation under way was done, unless it is a part of another.
    func record(_ operation: @autoclosure () -> Operation) {
        guard operationDepth == 1 else { return }
        hasChanges = true
        do throws(CodecError) {
            try recorded?.append(operation())
        } catch {
            // The rules of the data refuse what cannot be written. Should one slip through, then
            // half a record must never be committed.
            rollback()
        }
    }

    /// Writes pages from now on, if the record would be a large frame.
    func becomeBulkIfLarge() throws(StoreError) {
        guard let recorded, recorded.byteCount > store.options.recordedByteCountMaximum else {
            return
        }
        try becomeBulk()
    }
}
