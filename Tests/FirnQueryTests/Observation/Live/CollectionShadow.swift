import FirnEngine
import FirnValues

@testable import FirnQuery

/// A collection of values, or a map, and a copy that is updated by the changes only.
struct CollectionShadow {
    private let live: LiveCollection
    private let property: PropertySchema
    private let schema: ClassSchema
    private let row: RowID
    private var elements: [Value] = []
    private var entries: TextMap<Value> = [:]

    init(
        _ property: PropertySchema, of row: RowID, in schema: ClassSchema,
        on snapshot: DatabaseSnapshot, _ data: GraphData
    ) {
        self.property = property
        self.schema = schema
        self.row = row
        live = LiveCollection(
            of: ObjectReference(classID: schema.id, rowID: row), property, on: snapshot,
            observing: .own)
        (elements, entries) = Self.content(data.value(property, of: row, in: schema))
    }

    private static func content(_ value: Value) -> ([Value], TextMap<Value>) {
        switch value {
        case .list(let values), .set(let values): (values, [:])
        case .map(let entries): ([], entries)
        default: ([], [:])
        }
    }

    mutating func advance(
        _ step: LiveStep, _ oracle: ModificationOracle
    ) throws -> String? {
        let (fresh, freshEntries) = Self.content(oracle.new.value(property, of: row, in: schema))
        switch try live.advance(step) {
        case nil: break
        case .elements(let changes):
            if changes.isEmpty { return "an empty change was delivered" }
            elements = changes.applied(to: elements) { index in
                fresh.indices.contains(index) ? fresh[index] : .null
            }
        case .entries(let changes):
            if changes.isEmpty { return "an empty change was delivered" }
            if changes.deletions.contains(where: { entries[$0] == nil }) { return "\(changes)" }
            if changes.insertions.contains(where: { entries[$0] != nil }) { return "\(changes)" }
            for key in changes.deletions { entries[key] = nil }
            for key in changes.insertions + changes.modifications {
                entries[key] = freshEntries[key]
            }
        }
        guard areEqual(.list(elements), .list(fresh)), areEqual(.map(entries), .map(freshEntries))
        else { return "\(elements) \(entries) instead of \(fresh) \(freshEntries)" }
        return nil
    }

    /// Equality as displayed: every NaN is the same.
    private func areEqual(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.list(let left), .list(let right)), (.set(let left), .set(let right)):
            left.count == right.count && zip(left, right).allSatisfy(areEqual)
        case (.map(let left), .map(let right)):
            left.count == right.count
                && left.allSatisfy { key, value in right[key].map { areEqual(value, $0) } ?? false }
        default: left.order(relativeTo: right) == .equal
        }
    }
}
