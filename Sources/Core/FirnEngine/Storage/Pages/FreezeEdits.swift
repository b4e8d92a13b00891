import FirnValues

/// The freezes that were made and dropped since a root.
struct FreezeEdits: Hashable, Sendable {
    enum Edit: Hashable, Sendable {
        case made(Freeze)
        case dropped

        /// The freeze of that name after the edit.
        var freeze: Freeze? {
            if case .made(let freeze) = self { freeze } else { nil }
        }
    }

    private var edits: TextMap<Edit> = [:]

    init() {}

    init(adding freezes: [Freeze]) {
        for freeze in freezes { add(freeze) }
    }

    var isEmpty: Bool { edits.isEmpty }

    /// The changed names, in the order of the leaves of a ``FreezeIndex``.
    var names: [String] { edits.keys.sorted() }

    /// The freezes that were made and not dropped.
    var added: [Freeze] { edits.values.compactMap(\.freeze) }

    /// Returns the last edit of a name.
    subscript(name: String) -> Edit? { edits[name] }

    /// Adds a freeze and replaces any with the same name.
    mutating func add(_ freeze: Freeze) { edits[freeze.name] = .made(freeze) }

    mutating func drop(_ name: String) { edits[name] = .dropped }

    /// Adds later edits.
    mutating func merge(_ later: FreezeEdits) {
        edits.merge(later.edits) { _, later in later }
    }
}
