import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnSyntax
import FirnTools
import FirnValues

/// Changing the database.
extension Session {
    // MARK: Transactions

    /// Begins a transaction that lasts until `.commit` or `.cancel`.
    func begin() throws(CommandFailure) {
        try checkNoTransaction("begin a transaction")
        transaction = try newTransaction()
    }

    private func newTransaction() throws(CommandFailure) -> ShellTransaction {
        let database = try openDatabase()
        guard !isReadOnly else {
            var diagnostic = Diagnostic(
                .fileReadOnly, "the database is open read-only")
            diagnostic.file = database.path
            throw .diagnostic(diagnostic)
        }
        if let frozen {
            var diagnostic = Diagnostic(
                .fileReadOnly, "version \(SafeText.escaping(frozen.name)) cannot be changed")
            diagnostic.remedy = "return to the newest version with: .at head"
            throw .diagnostic(diagnostic)
        }
        database.checkName()
        let begun = try database.writing().begin()
        do { return try ShellTransaction(begun) } catch { throw CommandFailure(error) }
    }

    func openTransaction() throws(CommandFailure) -> ShellTransaction {
        guard let transaction else {
            var diagnostic = Diagnostic(.transactionMissing, "no transaction is open")
            diagnostic.remedy = "begin a transaction with: .begin"
            throw .diagnostic(diagnostic)
        }
        return transaction
    }

    /// Commits the changes.
    ///
    /// - Returns: the version of the commit.
    func commit() throws(CommandFailure) -> LSN {
        let ending = try openTransaction()
        try checkTransaction()
        let database = try openDatabase().writing()
        do throws(StoreError) {
            let version = try ending.transaction.commit()
            transaction = nil
            ownVersions.insert(version)
            warnsOfUnsaved = true
            return version
        } catch {
            // The transaction has ended, with or without an error.
            transaction = nil
            throw database.failure(error)
        }
    }

    /// Rolls back the changes.
    ///
    /// - Returns: the number of changes.
    @discardableResult
    func cancel() throws(CommandFailure) -> UInt64 {
        let ending = try openTransaction()
        ending.transaction.rollback()
        transaction = nil
        return ending.changeCount
    }

    // MARK: Changes

    /// Makes a change in the open transaction or, if there is none, in its own transaction.
    ///
    /// - Parameter body: returns the number of changed objects; after an error, it indicates
    ///   whether nothing was changed yet.
    /// - Returns: the number of changed objects, and the version if the change was committed.
    func changing(
        _ body: (WriteTransaction) throws(CommandFailure) -> UInt64
    ) throws(CommandFailure) -> (count: UInt64, version: LSN?) {
        try checkTransaction()
        if let transaction {
            let before = transaction.transaction.operationCount
            do throws(CommandFailure) {
                let count = try body(transaction.transaction)
                transaction.changeCount += count
                return (count, nil)
            } catch {
                // A change that was rejected before it changed anything has no effect.
                let isUntouched =
                    error.isRefusal && transaction.transaction.operationCount == before
                transaction.hasFailed = !isUntouched
                throw error
            }
        }
        transaction = try newTransaction()
        do throws(CommandFailure) {
            let count = try body(try openTransaction().transaction)
            return (count, try commit())
        } catch {
            transaction?.transaction.rollback()
            transaction = nil
            throw error
        }
    }

    /// Runs a statement that ends with `set` or `delete`.
    func change(_ query: ShellQuery) throws(CommandFailure) {
        var verb = "updated"
        let database = try openDatabase()
        let isStopped = environment.isInterrupted
        let done = try changing { transaction throws(CommandFailure) in
            let context = BindingContext(
                schema: transaction.schema, defaultClass: query.defaultClass, arguments: arguments,
                now: environment.services.clock.now)
            do throws(QueryFailure) {
                let mutation = try bound(query.text, context)
                if case .delete = mutation.change { verb = "deleted" }
                let outcome = try database.database.run(
                    mutation, in: transaction, keepsRows: false, isStopped: isStopped
                ) { _ in !isStopped() }
                return UInt64(clamping: outcome.changed)
            } catch {
                try environment.checkSignals()
                switch error {
                case .query(let error):
                    throw .diagnostic(Diagnostic(error, text: query.text, file: database.path))
                case .store(let error): throw try database.writing().failure(error)
                }
            }
        }
        reportChange("\(Formatting.count(done.count, "object")) \(verb)", done.version)
    }

    private func bound(
        _ text: String, _ context: BindingContext
    ) throws(QueryFailure) -> BoundMutation {
        do { return try BoundMutation(text, entry: .statement, in: context) } catch {
            throw .query(error)
        }
    }

    /// Reports a change and its version.
    func reportChange(_ what: String, _ version: LSN?) {
        report(what + (version.map { " · committed as v\($0.rawValue)" } ?? ""))
    }
}

extension CommandFailure {
    /// Whether the error means that the request is invalid or was interrupted, rather than that the
    /// database rejected a change.
    fileprivate var isRefusal: Bool {
        guard case .diagnostic(let diagnostic) = self else { return true }
        switch diagnostic.slug {
        case .querySyntax, .queryUnknownClass, .queryUnknownProperty, .queryType,
            .queryMissingParameter, .queryLimit, .usageQuery, .usageArguments, .writeValue,
            .inputUnreadable, .inputNotAFile, .writeUnknownClass, .inputSyntax, .inputEncoding,
            .writeUnknownProperty, .writeMissingKey, .writeMissingValue, .writeType,
            .writeDuplicateKey, .writeUnknownObject, .writeAmbiguousLink:
            return true
        default: return false
        }
    }
}
