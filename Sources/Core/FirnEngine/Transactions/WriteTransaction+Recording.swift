import FirnCodec
import FirnValues

/// Recording the operations of the caller, without their consequences.
///
/// A replay derives the consequences again, such as links that become nil and embedded objects that
/// are deleted with their parents.
///
///     try beginOperation()
///     defer { endOperation() }
///     ...
///     try record(.set(classID, row, property, value))
extension WriteTransaction {
    /// Begins an operation, possibly within another.
    ///
    /// - Throws: An error if the transaction has ended, or if it is so large that it must write
    ///   pages and cannot.
    func beginOperation() throws(StoreError) {
        try checkOpen()
        if operationDepth == 0 { try becomeBulkIfLarge() }
        operationDepth += 1
    }

    /// Switches to pages if the recorded operations would make a large frame.
    func becomeBulkIfLarge() throws(StoreError) {
        guard let byteCount = recorded?.byteCount,
            byteCount > store.options.recordedByteCountMaximum
        else { return }
        try becomeBulk()
    }

    func endOperation() { operationDepth -= 1 }

    /// Records that the current operation was performed, unless it is part of another.
    func record(_ operation: @autoclosure () -> Operation) throws(StoreError) {
        try recording { recorded throws(CodecError) in try recorded?.append(operation()) }
    }

    /// Records, in the same way, an operation that only removes something.
    func recordRemoval(_ operation: @autoclosure () -> Operation) throws(StoreError) {
        try record(operation())
        if operationDepth == 1 { removalCount += 1 }
    }

    /// Counts operations of a transaction that no longer records them.
    func noteOperations(_ count: Int) {
        guard operationDepth == 1, count > 0 else { return }
        hasChanges = true
        operationCount += UInt64(count)
    }

    /// Records, in the same way, operations that are so frequent that even creating their enum case
    /// is costly.
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
            // The operation was performed and must not be committed without a record.
            rollback()
            throw StoreError(.limitExceeded, path: store.path, detail: error.reason)
        }
    }
}

/// Changes in several steps.
extension WriteTransaction {
    /// Runs several steps, and undoes all of them if one is rejected.
    ///
    /// The saved state shares its storage with the state that the steps change, so each changed row
    /// group is copied once more. The method is therefore intended for changes of whole classes,
    /// not of objects.
    func atomically<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try sealAll()
        let before = (overlay: overlay, keys: maxKeyBounds, orphans: orphans, counts: counts)
        let recorded = (
            mark: self.recorded?.mark, hasChanges: hasChanges, count: operationCount,
            removalCount: removalCount
        )
        attemptDepth += 1
        defer { attemptDepth -= 1 }
        do throws(StoreError) {
            return try body()
        } catch {
            overlay = before.overlay
            forgetPlans()
            maxKeyBounds = before.keys
            orphans = before.orphans
            counts = before.counts
            created = ClassMap()
            // An index that was read in the step lacks what the step deleted.
            for claims in uniqueClaims.values { claims.forgetReaders() }
            hasChanges = recorded.hasChanges
            operationCount = recorded.count
            removalCount = recorded.removalCount
            if let mark = recorded.mark { self.recorded?.truncate(to: mark) }
            throw error
        }
    }
}
