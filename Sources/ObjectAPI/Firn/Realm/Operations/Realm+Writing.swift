import FirnEngine

/// Write transactions.
extension Realm {
    /// Runs code in a write transaction and makes its changes durable as a whole.
    ///
    /// The transaction starts on the newest version, after other writers have finished and
    /// observers have been notified of their changes. If the code throws, none of its changes
    /// remain. The code may call ``cancelWrite()`` or ``commitWrite()`` itself.
    ///
    /// - Parameter tokens: The tokens of observations of this realm whose blocks are not notified
    ///   of this transaction, because the program already knows its changes.
    /// - Throws: An error that the code throws, or ``Realm/Error``. In each case, nothing was
    ///   committed.
    @discardableResult
    public func write<Result>(
        withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
    ) throws -> Result {
        try beginThrowing()
        let result: Result
        do {
            result = try block()
        } catch {
            if isInWriteTransaction { cancelWrite() }
            throw error
        }
        if isInWriteTransaction { try commitWrite(withoutNotifying: tokens) }
        return result
    }

    /// Begins a write transaction on the newest version, after other writers have finished.
    ///
    /// The program stops if the file cannot be written. ``write(withoutNotifying:_:)`` throws
    /// instead.
    public func beginWrite() {
        do {
            try beginThrowing()
        } catch {
            misuse("a write transaction could not begin: \(error.message)")
        }
    }

    private func beginThrowing() throws(Realm.Error) {
        guard !instance.isFrozen else {
            misuse("a frozen realm cannot be written to: call thaw() first")
        }
        guard !configuration.readOnly else {
            misuse(
                "the realm at \(instance.file.path) was opened for reading only: open it without "
                    + "readOnly to write")
        }
        instance.checkConfinement()
        guard !isInWriteTransaction else {
            misuse(
                "the realm is in a write transaction already: transactions do not nest; ask "
                    + "isInWriteTransaction before")
        }
        do {
            try instance.begin()
        } catch {
            throw Realm.Error(error)
        }
    }

    /// Makes the changes since ``beginWrite()`` durable.
    ///
    /// - Parameter tokens: The tokens of observations of this realm whose blocks are not notified
    ///   of this transaction. An observer that has not yet been notified of earlier changes is
    ///   notified of both.
    /// - Throws: ``Realm/Error``. In that case, nothing was committed.
    public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
        instance.checkConfinement()
        do {
            try instance.commit(withoutNotifying: tokens)
        } catch {
            throw Realm.Error(error)
        }
    }

    /// Discards the changes since ``beginWrite()``.
    ///
    /// Objects that were added in the transaction become invalid.
    public func cancelWrite() {
        instance.checkConfinement()
        instance.cancel()
    }
}
