import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnSyntax
import FirnValues

/// Runs a statement of `-x`.
struct StatementRun {
    struct Counts {
        var updated: UInt64 = 0
        var unchanged: UInt64 = 0
        var deleted: UInt64 = 0
    }

    let text: String
    let className: String?
    let arguments: QueryArguments
    let file: String

    func run(
        _ session: WriteSession, _ line: Progress, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> Counts {
        let context = BindingContext(
            schema: session.transaction.schema, defaultClass: className, arguments: arguments,
            now: environment.services.clock.now)
        let mutation: BoundMutation
        let outcome: MutationOutcome
        do {
            mutation = try QueryFailure.binding(
                BoundMutation(text, entry: .statement, in: context))
            outcome = try Database(session.store).run(
                mutation, in: session.transaction, keepsRows: session.keepsObjects,
                isStopped: environment.isInterrupted
            ) { progress in
                line.update(
                    "changing \(mutation.query.classSchema.name)", done: progress.doneRowCount,
                    of: progress.totalRowCount, .objects)
                return environment.pendingSignal() == nil
            }
        } catch {
            try environment.checkSignals()
            switch error {
            case .query(let error):
                let diagnostic = Diagnostic(error, text: text, file: file)
                throw .diagnostic(diagnostic.explainingTexts(arguments, in: text))
            case .store(let error): throw session.failure(error)
            }
        }
        return counts(mutation, outcome, session)
    }

    private func counts(
        _ mutation: BoundMutation, _ outcome: MutationOutcome, _ session: WriteSession
    ) -> Counts {
        let changed = UInt64(clamping: outcome.changed)
        if case .delete = mutation.change { return Counts(deleted: changed) }
        for row in outcome.rows {
            session.note(ObjectReference(classID: mutation.query.classSchema.id, rowID: row))
        }
        return Counts(
            updated: changed, unchanged: UInt64(clamping: outcome.matched - outcome.changed))
    }
}
