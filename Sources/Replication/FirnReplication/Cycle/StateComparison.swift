import FirnValues

/// A comparison of the states that the file has sent with the state of the server.
///
/// A row of the server prevails, and replaces the values of the file: they must not go without a word.
struct StateComparison {
    /// An object whose values the server replaced.
    struct Difference {
        let change: Outgoing
        /// The properties that differ; empty if the object was deleted on the server.
        var properties: [String] = []

        var replaced: ReplacedObject {
            ReplacedObject(
                object: "\(change.className) \(change.key)", properties: properties)
        }
    }

    private let states: [ObjectName: Outgoing]
    /// The properties that other changes have set.
    private var changed: [ObjectName: TextSet] = [:]
    private var found: [ObjectName: Difference] = [:]

    /// - Parameters:
    ///   - sent: The changes that the server has, of which the states are compared.
    ///   - pending: Those that it does not have.
    init(_ sent: [Outgoing], pending: [Outgoing]) {
        let states = sent.filter { $0.kind == .existing }
        self.states = Dictionary(states.map { ($0.object, $0) }, uniquingKeysWith: { $1 })
        guard !states.isEmpty else { return }
        for change in sent + pending where change.kind != .existing {
            changed[change.object, default: []].formUnion(change.properties.map(\.name))
        }
    }

    /// The objects whose values the server replaced, in the order in which the file had sent them.
    var differences: [Difference] { found.values.sorted { $0.change.id < $1.change.id } }

    /// Whether the state of an object was sent.
    func hasState(of object: ObjectName) -> Bool { states[object] != nil }

    /// Compares a row of the server that has changed an object of the file.
    ///
    /// - Parameter links: Whether the columns with links are compared, or the others.
    mutating func compare(
        _ object: ObjectName, _ texts: [String?], of type: SyncedClass, links: Bool
    ) {
        guard let change = states[object] else { return }
        let server = type.texts(of: texts)
        let differing = change.properties.filter { property in
            guard let column = type.column(named: property.name), column.mayLink == links,
                changed[object]?.contains(property.name) != true
            else { return false }
            return !column.isEqual(server[property.name], property.texts)
        }
        guard !differing.isEmpty else { return }
        found[object, default: Difference(change: change)].properties += differing.map(\.name)
    }

    /// Records an object that was deleted on the server.
    mutating func noteDeletion(_ object: ObjectName) {
        if let change = states[object] { found[object] = Difference(change: change) }
    }
}

/// An object that the file had before its class was replicated, and that the server replaced.
///
/// The values of the file stay among the rejected changes.
package struct ReplacedObject: Hashable, Sendable {
    package let object: String
    /// The properties that differed; empty if the object was deleted on the server.
    package let properties: [String]

    package var reason: String {
        properties.isEmpty
            ? "the object was deleted on the server"
            : "the server has other values: \(properties.joined(separator: ", "))"
    }
}
