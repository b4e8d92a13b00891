import ArgumentParser
package import FirnEngine
package import FirnFormats
import FirnValues

/// Objects that are written within a transaction of the caller, as `firn write` would write them.
package struct JoinedWrite {
    /// The numbers of written objects.
    package struct Counts: Hashable, Sendable {
        package var inserted: UInt64 = 0
        package var updated: UInt64 = 0
        package var deleted: UInt64 = 0
        package var unchanged: UInt64 = 0
        package var rejected: UInt64 = 0

        package init() {}

        /// The number of changed objects.
        package var changed: UInt64 { inserted + updated + deleted }
    }

    private let options: WriteOptions

    /// - Parameters:
    ///   - words: the inputs and options of `firn write`, without the database.
    ///   - file: the name of the database in errors.
    package init(_ words: [String], file: String) throws(CommandFailure) {
        let command: WriteCommand
        do { command = try WriteCommand.parsed([file] + words) } catch {
            throw .diagnostic(
                .usage(WriteCommand.message(for: error), remedy: "see: firn help write"))
        }
        var options = command.options
        let endsTransactions =
            options.creates || options.isDryRun || options.batch != nil || options.ifVersion != nil
        let hasStatements = options.steps.contains { step in
            if case .statement = step { true } else { false }
        }
        guard !endsTransactions, !hasStatements, options.inputFormat != .observe else {
            throw .diagnostic(
                .usage(
                    "--create, --dry-run, --batch, --if-version, -x and --input observe "
                        + "work only with firn write",
                    remedy: "in the shell, use .begin and .cancel to try a change"))
        }
        options.isQuiet = !options.returnsObjects
        self.options = options
    }

    /// - Returns: the counts; the transaction is not committed.
    package func run(
        in transaction: WriteTransaction, of database: WritableDatabase,
        _ environment: CommandEnvironment
    ) throws(CommandFailure) -> Counts {
        let line = Progress(options.progress, quiet: false, environment)
        defer { line.clear() }
        let session = try WriteSession(
            joining: transaction, of: database, names: options.records.names, environment)
        let run = try WriteRun(options, line, environment, joining: session)
        _ = try run.run()
        if !options.note.isEmpty {
            transaction.annotation = try database.annotation(note: options.note)
        }
        var counts = Counts()
        counts.inserted = run.report.inserted
        counts.updated = run.report.updated
        counts.deleted = run.report.deleted
        counts.unchanged = run.report.unchanged
        counts.rejected = run.report.rejected
        return counts
    }
}
