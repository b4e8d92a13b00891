import FirnEngine
import FirnPlatform
import FirnSyntax
import FirnValues

extension SubscriptionRule {
    /// Adapts the subscriptions to the schema that a transaction creates.
    ///
    /// A subscription names its class and its properties. Those that the transaction renames get their
    /// new names, and the subscriptions of classes that it removes go with them.
    ///
    /// - Throws: ``StoreError`` with `invalidSchema` if a subscription would not be valid any more. The
    ///   transaction remains open.
    func carrySubscriptions(over transaction: WriteTransaction) throws(StoreError) {
        let subscription = SubscriptionClasses.subscription
        guard transaction.hasSchemaChanges,
            let known = transaction.base.schema.classNamed(subscription.name),
            // A class of another program may have the name, and is renamed like any other.
            subscription.properties(of: known) != nil
        else { return }
        let (path, now) = (transaction.base.path, clock.now)
        let records = try StoredSubscriptions(transaction.base, path: path).list.records
        guard !records.isEmpty else { return }
        let (old, new) = (transaction.base.schema, transaction.schema)
        var edits: [SubscriptionEdit] = []
        let snapshot = DatabaseSnapshot(try transaction.snapshot(), now: now)
        for record in records {
            guard let former = old.classNamed(record.className) else { continue }
            guard let type = new[former.id] else {
                edits.append(.remove(record.id))
                continue
            }
            let query = SubscriptionRenaming(from: old, to: new).renamed(record.query, of: former)
            if query != record.query || type.name != record.className {
                edits.append(.setQuery(record.id, className: type.name, query: query))
            }
            do { _ = try snapshot.bound(query) } catch {
                switch error {
                case .store(let error): throw error
                case .query(let error):
                    throw StoreError(
                        .invalidSchema, path: path,
                        detail: "the subscription \(record.query) would not be valid any more: "
                            + error.message,
                        remedy: "remove it first: firn sync unsubscribe FILE QUERY")
                }
            }
        }
        guard !edits.isEmpty else { return }
        _ = try StoredSubscriptions.apply(edits, now: now, in: transaction, path: path)
    }
}

/// The new names of classes and properties, applied to the texts of subscriptions.
private struct SubscriptionRenaming {
    private let former: FirnEngine.Schema
    private let schema: FirnEngine.Schema

    init(from former: FirnEngine.Schema, to schema: FirnEngine.Schema) {
        self.former = former
        self.schema = schema
    }

    /// Returns a canonical query with the new names.
    ///
    /// A subscription compares properties of its own class, or of those that links lead to, with
    /// constants: the first token is the class, a name after the period is a property of the target, and
    /// every other one that is not a function is a property of the class.
    func renamed(_ query: String, of root: ClassSchema) -> String {
        guard let tokens = try? Lexer.tokens(of: query, entry: .pipeline) else { return query }
        let bytes = Array(query.utf8)
        var result: [UInt8] = []
        var end = 0
        // The class whose property a name after the next period is.
        var target: ClassSchema?
        for (index, token) in tokens.enumerated() {
            let name: String
            switch token.kind {
            case .word(let word) where Canonical.name(word) == word: name = word
            case .name(let quoted): name = quoted
            default: continue
            }
            let new: String?
            if index == 0 {
                new = schema[root.id]?.name
            } else {
                let isMember = tokens[index - 1].kind == .symbol(.dot)
                let isFunction =
                    index + 1 < tokens.count && tokens[index + 1].kind == .symbol(.leftParenthesis)
                let owner = isMember ? target : isFunction ? nil : root
                let property = owner?.propertyNamed(name)
                target = property?.type.target.flatMap { former[$0] }
                new = property.flatMap { self.name(of: $0, in: owner) }
            }
            guard let new, new != name else { continue }
            result += bytes[end..<token.range.bytes.lowerBound]
            result += Array(Canonical.name(new).utf8)
            end = token.range.bytes.upperBound
        }
        return String(decoding: result + bytes[end...], as: UTF8.self)
    }

    /// Returns the new name of a property; a converted property has a new identity but keeps its
    /// name.
    private func name(of property: PropertySchema, in owner: ClassSchema?) -> String? {
        owner.flatMap { schema[$0.id] }?.properties.first { $0.id == property.id }?.name
    }
}
