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
        if operationDepth == 0, let recorded, recorded.byteCount > recordedByteCountMaximum {
            try becomeBulk()
        }
        operationDepth += 1
    }

    func endOperation() { operationDepth -= 1 }

    /// Notes that the operation under way was done, unless it is a part of another.
    func record(_ operation: @autoclosure () -> Operation) {
        guard operationDepth == 1 else { return }
        hasChanges = true
        recorded?.append(operation())
    }

    private var recordedByteCountMaximum: Int { store.options.recordedByteCountMaximum }
}
