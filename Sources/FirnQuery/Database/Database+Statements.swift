package import FirnEngine
package import FirnValues

extension Database {
    /// Reads a statement, binds it to the schema as the transaction has it, and carries it out; the
    /// transaction is not committed.
    ///
    /// - Parameters:
    ///   - text: such as `Person city == "Oslo" | set city = "Bergen"`.
    ///   - defaultClass: the class of a text that names none.
    ///   - arguments: the values of `$name`.
    /// - Throws: ``QueryFailure`` as ``run(_:in:)`` does, and with a position in the text if it is
    ///   wrong.
    @discardableResult
    package func run(
        _ text: String, defaultClass: String? = nil, arguments: [String: Value] = [:],
        in transaction: WriteTransaction
    ) throws(QueryFailure) -> MutationOutcome {
        let context = BindingContext(
            schema: transaction.schema, defaultClass: defaultClass, arguments: arguments, now: now)
        let mutation: BoundMutation
        do throws(QueryError) {
            mutation = try BoundMutation(text, entry: .statement, in: context)
        } catch {
            throw .query(error)
        }
        return try run(mutation, in: transaction)
    }
}
