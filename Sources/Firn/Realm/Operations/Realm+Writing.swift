import FirnEngine

/// Write transactions.
extension Realm {
    /// Runs code in a write transaction, and makes what it did durable as a whole.
    ///
    /// The transaction begins on the newest version, after other writers have finished and blocks of
    /// `observe` were told what those did. If the code throws, nothing of it stays. The code may call ``cancelWrite()`` or ``commitWrite()`` itself.
    ///
    /// - Parameter tokens: of observations of this realm whose blocks are not to be told what this
    ///   transaction did, because the program knows it already.
    /// - Throws: what the code throws, and ``Realm/Error``: nothing was committed then.
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
    /// Stops the program if the file cannot be written to; ``write(withoutNotifying:_:)`` throws instead.
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
        do throws(StoreError) {
            try instance.begin()
        } catch {
            throw Realm.Error(error)
        }
    }

    /// Makes what was done since ``beginWrite()`` durable.
    ///
    /// - Parameter tokens: of observations of this realm whose blocks are not to be told what this
    ///   transaction did. One that was not told yet what happened before the transaction is told both.
    /// - Throws: ``Realm/Error``; nothing was committed then.
    public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
        instance.checkConfinement()
        do throws(StoreError) {
            try instance.commit(withoutNotifying: tokens)
        } catch {
            throw Realm.Error(error)
        }
    }

    /// Forgets what was done since ``beginWrite()``.
    ///
    /// Objects that were added are invalid then.
    public func cancelWrite() {
        instance.checkConfinement()
        instance.cancel()
    }
}
