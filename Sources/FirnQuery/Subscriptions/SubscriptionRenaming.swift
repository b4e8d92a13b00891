import FirnEngine
import FirnValues

extension Database {
    /// Carries the subscriptions over to the schema that a transaction makes.
    ///
    /// A subscription names its class and its properties. Those that the transaction renames get their
    /// new names, and the subscriptions of classes that it removes go with them.
    ///
    /// - Throws: ``StoreError`` with `invalidSchema` if a subscription would not be valid any more. The
    ///   transaction remains open.
    func carrySubscriptions(over transaction: WriteTransaction) throws(StoreError) {
        guard transaction.hasSchemaChanges else { return }
        let records = try StoredSubscriptions(transaction.base, path: store.path).list.records
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
            let query = SubscriptionRenaming(former, type).renamed(record.query)
            if query != record.query || type.name != record.className {
                edits.append(.setQuery(record.id, className: type.name, query: query))
            }
            do { _ = try snapshot.bound(query) } catch {
                switch error {
                case .store(let error): throw error
                case .query(let error):
                    throw StoreError(
                        .invalidSchema, path: store.path,
                        detail: "the subscription \(record.query) would not be valid any more: "
                            + error.message,
                        remedy: "remove it first: firn sync unsubscribe FILE QUERY")
                }
            }
        }
        guard !edits.isEmpty else { return }
        _ = try StoredSubscriptions.apply(edits, now: now, in: transaction, path: store.path)
    }
}

/// The new names of a class and its properties, applied to the texts of subscriptions.
private struct SubscriptionRenaming {
    private let former: ClassSchema
    private let type: ClassSchema
    private var names: TextMap<String> = [:]

    init(_ former: ClassSchema, _ type: ClassSchema) {
        self.former = former
        self.type = type
        for property in former.properties {
            // A converted property has a new identity, and keeps its name.
            guard let new = type.properties.first(where: { $0.id == property.id }),
                new.name != property.name
            else { continue }
            names[property.name] = new.name
        }
    }

    /// Returns a canonical query with the new names.
    ///
    /// A subscription compares properties of its own class with constants: the first token is the
    /// class, and every other name that does not follow a period and is not a function is a property.
    func renamed(_ query: String) -> String {
        guard !names.isEmpty || type.name != former.name,
            let tokens = try? Lexer.tokens(of: query, entry: .pipeline)
        else { return query }
        let bytes = Array(query.utf8)
        var result: [UInt8] = []
        var end = 0
        for (index, token) in tokens.enumerated() {
            let name: String
            switch token.kind {
            case .word(let word) where Canonical.name(word) == word: name = word
            case .name(let quoted): name = quoted
            default: continue
            }
            let isMember = index > 0 && tokens[index - 1].kind == .symbol(.dot)
            let isFunction =
                index + 1 < tokens.count && tokens[index + 1].kind == .symbol(.leftParenthesis)
            let new = index == 0 ? type.name : isMember || isFunction ? nil : names[name]
            guard let new else { continue }
            result += bytes[end..<token.range.bytes.lowerBound]
            result += Array(Canonical.name(new).utf8)
            end = token.range.bytes.upperBound
        }
        return String(decoding: result + bytes[end...], as: UTF8.self)
    }
}
