package import FirnEngine
package import FirnValues

extension Database {
    /// Parses a statement, binds it to the transaction's schema, and executes it without
    /// committing.
    ///
    /// - Parameters:
    ///   - text: a statement, such as `Person city == "Oslo" | set city = "Bergen"`.
    ///   - defaultClass: the class for a text that does not name one.
    ///   - arguments: the values of `$name`.
    /// - Throws: ``QueryFailure`` as ``run(_:in:)`` does, and with a position in the text if the
    ///   text is invalid.
    @discardableResult
    package func run(
        _ text: String, defaultClass: String? = nil, arguments: [String: Value] = [:],
        in transaction: WriteTransaction
    ) throws(QueryFailure) -> MutationOutcome {
        let context = BindingContext(
            schema: transaction.schema, defaultClass: defaultClass, arguments: arguments, now: now)
        let mutation = try QueryFailure.binding(
            BoundMutation(text, entry: .statement, in: context))
        return try run(mutation, in: transaction)
    }
}
