import FirnEngine
import FirnValues

/// The values that objects of the file had in some properties before the server had their columns.
///
/// The server has the empty value of the type for them. A fill comes before the changes of the property
/// that wait to be sent, and has the value before them, so that the changes of a counter are added to it.
struct ColumnFill {
    private let columns: [SyncedColumn]
    private let type: SyncedClass
    /// The first waiting change of each object that has one of the properties, by property.
    private var first: [ObjectName: TextMap<Outgoing>] = [:]

    /// - Parameter pending: The changes that wait to be sent, in order.
    init(_ columns: [SyncedColumn], of type: SyncedClass, before pending: [Outgoing]) {
        self.columns = columns
        self.type = type
        let names = TextSet(columns.map(\.name))
        for change in pending where change.className == type.name {
            for property in change.properties where names.contains(property.name) {
                if first[change.object]?[property.name] == nil {
                    first[change.object, default: [:]][property.name] = change
                }
            }
        }
    }

    /// Returns the fills, each object as a transaction of its own or before its waiting change.
    func fills(
        in snapshot: Snapshot, _ kept: KeptState, _ record: inout UpstreamRecord
    ) throws(UpstreamError) -> [Outgoing] {
        guard let table = snapshot.table(type.schema.id),
            let keyIndex = type.schema.index(of: type.key.property.id)
        else { return [] }
        let rows = try UpstreamError.converting { () throws(StoreError) in try table.liveRowIDs() }
        let texts = ValueTexts(snapshot)
        var fills: [Outgoing] = []
        for row in rows {
            let values = try UpstreamError.converting { () throws(StoreError) in
                try table.values(of: row)
            }
            guard let values, let key = (try? SyncedClass.keyText(values[keyIndex])) ?? nil
            else { continue }
            let object = ObjectName(className: type.name, key: key)
            guard !kept.contains(object) else { continue }
            var own: [PropertyText] = []
            for column in columns {
                guard let index = type.schema.index(of: column.property.id) else { continue }
                if let change = first[object]?[column.name] {
                    if let fill = fill(column, before: change) { fills.append(fill) }
                    continue
                }
                // A value that the server cannot store waits until it is changed.
                guard let text = try? texts.texts(values[index], column) else { continue }
                if let property = property(column, text) { own.append(property) }
            }
            guard !own.isEmpty else { continue }
            record.lastSequence += 1
            record.clock = HybridTime(
                nanosecondsSince1970: 0, after: record.clock, client: record.client)
            fills.append(
                Outgoing(
                    id: record.clock.rawValue, sequence: record.lastSequence,
                    className: type.name, key: key, kind: .fill, time: HybridTime(0),
                    properties: own))
        }
        return fills
    }

    /// Returns the value of a property; `nil` if the server already has it.
    private func property(_ column: SyncedColumn, _ texts: [String?]) -> PropertyText? {
        guard !column.isEqual(texts, column.emptyTexts) else { return nil }
        return PropertyText(name: column.name, texts: texts, base: column.emptyTexts)
    }

    /// Returns the value that a waiting change replaced; a creation has all values itself.
    private func fill(_ column: SyncedColumn, before change: Outgoing) -> Outgoing? {
        guard let changed = change.properties.first(where: { $0.name == column.name }),
            let base = changed.base, let property = property(column, base),
            let number = columns.firstIndex(where: { $0.name == column.name })
        else { return nil }
        var fill = change
        // The numbers of changes are 4096 apart.
        fill.id -= Int64(1 + number % 4000)
        fill.kind = .fill
        fill.time = HybridTime(0)
        fill.properties = [property]
        return fill
    }
}
