package import FirnValues

/// The rules by which the server merges the changes that files make to the objects of a class.
///
/// The server has them, in `firn.class`, so that they are the same for all files.
package struct ConflictRules: Hashable, Sendable {
    /// The change that prevails if two files change the same property.
    package enum Mode: String, Hashable, Sendable, CaseIterable {
        /// The later change, by hybrid time; collections are merged.
        case lastWriter = "last-writer"
        /// The change that reached the server first.
        ///
        /// The transaction of the other one is refused as a whole, and undone in its file.
        case firstWriter = "first-writer"
        /// The change that reached the server last; collections are merged.
        case arrival
    }

    /// The mode; `nil` to leave the one that the server has.
    package var mode: Mode?
    /// The integer properties whose changes are added up; `nil` to leave the properties that the
    /// server has.
    package var counters: TextSet?

    package init(_ mode: Mode? = nil, counters: TextSet? = nil) {
        self.mode = mode
        self.counters = counters
    }

    func isCounter(_ column: SyncedColumn) -> Bool {
        counters?.contains(column.main) == true && column.canCount
    }
}

extension SyncedColumn {
    /// Whether the changes to the property can be added up.
    var canCount: Bool { stored == .int && target == nil && !isCollection && !isJSON }
}

extension ServerScript {
    /// Returns the statements that set the rules of classes, under the names that the server has.
    static func statements(
        _ rules: TextMap<ConflictRules>, of classes: [SyncedClass]
    ) -> String {
        var script = ""
        for (name, rules) in rules.sorted(by: { $0.key < $1.key }) {
            var assignments: [String] = []
            if let mode = rules.mode {
                assignments.append("conflicts = \(SQLText.literal(mode.rawValue))")
            }
            if let counters = rules.counters {
                let type = classes.first { $0.name == name }
                let names = ArrayText.text(
                    counters.sorted().map { type?.column(named: $0)?.main ?? $0 })
                assignments.append("counters = \(SQLText.literal(names))")
            }
            guard !assignments.isEmpty else { continue }
            let serverName = classes.first { $0.name == name }?.serverName ?? name
            script +=
                "UPDATE firn.class SET \(assignments.joined(separator: ", ")) "
                + "WHERE name = \(SQLText.literal(serverName));\n"
        }
        return script
    }

    /// Checks that each rule is for a class of the script, and each counter for an integer.
    static func check(
        _ rules: TextMap<ConflictRules>, of classes: [SyncedClass]
    ) throws(UpstreamError) {
        for (name, rules) in rules.sorted(by: { $0.key < $1.key }) {
            guard let type = classes.first(where: { $0.name == name }) else {
                throw UpstreamError(
                    .schema, "there is no class \(name) that can be replicated",
                    remedy: "see the classes with: firn schema FILE")
            }
            for counter in (rules.counters ?? []).sorted() {
                guard let column = type.column(named: counter) else {
                    throw UpstreamError(.schema, "\(name) has no property \(counter)")
                }
                guard column.canCount, counter != type.key.name else {
                    throw UpstreamError(
                        .unsupported,
                        "\(name).\(counter) cannot be a counter: it is not an Int, or is the key")
                }
            }
        }
    }
}
