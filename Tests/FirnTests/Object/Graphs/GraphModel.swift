/// A plain model of the documented behaviour of objects, values and realms.
///
/// Objects are numbers. One is unmanaged or in one of two realms; an added object refers to a row
/// from then on, which may have existed before.
struct GraphModel {
    enum Kind: String, CaseIterable {
        case node = "GraphNode"
        case keyed = "KeyedGraphNode"
        case part = "GraphPart"

        var fields: [(name: String, type: FieldType)] {
            switch self {
            case .node:
                [
                    ("name", .text), ("next", .link(.node)), ("children", .list(.node)),
                    ("keyed", .link(.keyed)), ("part", .link(.part)), ("named", .map(.node)),
                    ("any", .any),
                ]
            case .keyed:
                [
                    ("id", .number), ("name", .text), ("next", .link(.keyed)),
                    ("nodes", .list(.node)), ("part", .link(.part)),
                ]
            case .part: [("name", .text), ("node", .link(.node))]
            }
        }
    }

    enum FieldType {
        case text
        case number
        case link(Kind)
        case list(Kind)
        case map(Kind)
        case any
    }

    /// The value of a property.
    enum Value: Equatable {
        case nothing
        case text(String)
        case number(Int)
        case link(Int)
        /// A list, or a list inside a value of type Any.
        case list([Int])
        /// The entries sorted by key.
        case map([Entry])

        struct Entry: Equatable {
            let key: String
            let object: Int?
        }

        var targets: [Int] {
            switch self {
            case .nothing, .text, .number: []
            case .link(let object): [object]
            case .list(let objects): objects
            case .map(let entries): entries.compactMap(\.object)
            }
        }

        func mapping(_ change: (Int) throws -> Int) rethrows -> Value {
            switch self {
            case .nothing, .text, .number: self
            case .link(let object): .link(try change(object))
            case .list(let objects): .list(try objects.map(change))
            case .map(let entries):
                .map(try entries.map { Entry(key: $0.key, object: try $0.object.map(change)) })
            }
        }
    }

    /// A value as passed by a program.
    indirect enum Given {
        case value(Value)
        /// A dictionary, by index of the property.
        case fields([(field: Int, given: Given)])
        case list([Given])
    }

    struct Entity {
        let kind: Kind
        /// The realm; `nil` while it is unmanaged.
        var home: Int?
        var values: [Value]
        /// It was deleted, alone or with its parent, or another embedded object replaced it.
        var isDeleted = false
    }

    /// The program would stop.
    struct Refused: Error {}

    private(set) var entities: [Entity] = []
    /// The rows of each realm in order.
    private(set) var rows: [[Kind: [Int]]] = [[:], [:]]
    private var rowsOfAdded: [Int: Int] = [:]

    /// The object itself or, once it was added, its row.
    func current(_ object: Int) -> Int { rowsOfAdded[object] ?? object }

    func isManaged(_ object: Int) -> Bool { home(object) != nil }

    func home(_ object: Int) -> Int? { entities[current(object)].home }

    func kind(_ object: Int) -> Kind { entities[object].kind }

    // MARK: Making

    /// An unmanaged object without values.
    mutating func blank(_ kind: Kind) -> Int {
        entities.append(
            Entity(kind: kind, home: nil, values: kind.fields.map { GraphModel.initial($0.type) }))
        return entities.count - 1
    }

    private static func initial(_ type: FieldType) -> Value {
        switch type {
        case .text: .text("")
        case .number: .number(0)
        case .link, .any: .nothing
        case .list: .list([])
        case .map: .map([])
        }
    }

    private mutating func row(_ kind: Kind, in realm: Int) -> Int {
        let row = blank(kind)
        entities[row].home = realm
        if kind != .part { rows[realm][kind, default: []].append(row) }
        return row
    }

    /// Sets a property; an embedded object that it replaces is deleted.
    private mutating func set(_ field: Int, of row: Int, to value: Value) {
        if case .link(.part) = entities[row].kind.fields[field].type,
            case .link(let old) = entities[row].values[field], value != .link(old)
        {
            entities[old].isDeleted = true
        }
        entities[row].values[field] = value
    }

    private func row(forKey key: Value, in realm: Int) -> Int? {
        rows[realm][.keyed]?.first { entities[$0].values[0] == key }
    }

    /// `Object(value:)`: objects in the values stay the same, unless they are embedded in another
    /// one.
    mutating func make(_ kind: Kind, _ given: Given) throws -> Int {
        let object = blank(kind)
        for (field, given) in try fields(given) {
            entities[object].values[field] = try resolved(given, kind.fields[field].type) {
                model, given, kind throws in
                if case .value(.link(let target)) = given {
                    let target = model.current(target)
                    guard kind == .part, model.isManaged(target) else { return target }
                }
                return try model.make(kind, given)
            }
        }
        return object
    }

    /// The given value of each property.
    private func fields(_ given: Given) throws -> [(field: Int, given: Given)] {
        switch given {
        case .fields(let fields): return fields.sorted { $0.field < $1.field }
        case .value(.link(let source)):
            let entity = entities[current(source)]
            guard !entity.isDeleted else { throw Refused() }
            return entity.values.enumerated().map { ($0, .value($1)) }
        case .value, .list: return []
        }
    }

    private typealias Resolving = (inout GraphModel, Given, Kind) throws -> Int

    private mutating func resolved(
        _ given: Given, _ type: FieldType, _ object: Resolving
    ) throws -> Value {
        switch (given, type) {
        case (.fields, .link(let kind)): return .link(try object(&self, given, kind))
        case (.list(let elements), .list(let kind)):
            return .list(try elements.map { try object(&self, $0, kind) })
        case (.value(let value), .link(let kind)), (.value(let value), .list(let kind)),
            (.value(let value), .map(let kind)):
            return try value.mapping { try object(&self, .value(.link($0)), kind) }
        case (.value(let value), .any):
            return try value.mapping { try object(&self, .value(.link($0)), kind($0)) }
        case (.value(let value), _): return value
        default: throw Refused()
        }
    }

    // MARK: Realms

    /// `realm.add`: the object first, then the targets of its properties, in order.
    ///
    /// - Parameter copiesForeign: whether objects of the other realm are copied, as a list does.
    @discardableResult
    mutating func add(
        _ object: Int, to realm: Int, updates: Bool, copiesForeign: Bool = false
    ) throws -> Int {
        let object = current(object)
        let entity = entities[object]
        if let home = entity.home {
            // An embedded object already has a parent.
            guard entity.kind != .part else { throw Refused() }
            if home == realm { return object }
            guard copiesForeign else { throw Refused() }
            var copies: [Int: Int] = [:]
            return try create(
                entity.kind, .value(.link(object)), in: realm, updates: entity.kind == .keyed,
                &copies)
        }
        let existing = entity.kind == .keyed ? row(forKey: entity.values[0], in: realm) : nil
        guard existing == nil || updates else { throw Refused() }
        let row = existing ?? row(entity.kind, in: realm)
        rowsOfAdded[object] = row
        var late: [Int] = []
        for (field, value) in entity.values.enumerated() {
            let isReady = value.targets.allSatisfy { entities[current($0)].home == realm }
            guard isReady else {
                late.append(field)
                continue
            }
            set(field, of: row, to: try linked(value))
        }
        for field in late {
            let value = try entity.values[field].mapping {
                try add($0, to: realm, updates: updates, copiesForeign: copiesForeign)
            }
            set(field, of: row, to: value)
        }
        return row
    }

    private func linked(_ value: Value) throws -> Value {
        try value.mapping { target in
            guard entities[current(target)].kind != .part else { throw Refused() }
            return current(target)
        }
    }

    /// `realm.create`: unmanaged objects and those of the other realm are copied, each once.
    @discardableResult
    mutating func create(
        _ kind: Kind, _ given: Given, in realm: Int, updates: Bool
    ) throws -> Int {
        var copies: [Int: Int] = [:]
        return try create(kind, given, in: realm, updates: updates, &copies)
    }

    private mutating func create(
        _ kind: Kind, _ given: Given, in realm: Int, updates: Bool, _ copies: inout [Int: Int]
    ) throws -> Int {
        let fields = try fields(given)
        var existing: Int?
        if kind == .keyed {
            guard case .value(let key)? = fields.first(where: { $0.field == 0 })?.given else {
                throw Refused()
            }
            existing = row(forKey: key, in: realm)
        }
        guard existing == nil || updates else { throw Refused() }
        let row = existing ?? row(kind, in: realm)
        if case .value(.link(let source)) = given, kind != .part { copies[current(source)] = row }
        // An existing object gets all values at once, a new one gets them one by one.
        var later: [(Int, Value)] = []
        var known = copies
        for (field, given) in fields {
            let value = try resolved(given, kind.fields[field].type) {
                model, given, kind throws in
                try model.managed(given, kind, in: realm, updates: updates, &known)
            }
            if existing == nil { set(field, of: row, to: value) }
            later.append((field, value))
        }
        copies = known
        guard existing != nil else { return row }
        for (field, value) in later { set(field, of: row, to: value) }
        return row
    }

    private mutating func managed(
        _ given: Given, _ kind: Kind, in realm: Int, updates: Bool, _ copies: inout [Int: Int]
    ) throws -> Int {
        if case .value(.link(let source)) = given, kind != .part {
            let source = current(source)
            if entities[source].home == realm { return source }
            if let copy = copies[source] { return copy }
        }
        return try create(kind, given, in: realm, updates: updates && kind == .keyed, &copies)
    }

    /// `realm.delete`: links to the object become nil, and lists lose it.
    ///
    /// Refused if an unmanaged object or a list inside an Any refers to the object, which this model
    /// does not describe.
    ///
    /// - Returns: the deleted rows, with the embedded objects of the object.
    mutating func delete(_ object: Int) throws -> Set<Int> {
        let row = current(object)
        guard let realm = entities[row].home, entities[row].kind != .part,
            !entities[row].isDeleted
        else { throw Refused() }
        var gone: Set<Int> = [row]
        for (field, value) in entities[row].values.enumerated() {
            guard case .link(.part) = entities[row].kind.fields[field].type else { continue }
            gone.formUnion(value.targets)
        }
        for index in entities.indices where !entities[index].isDeleted && !gone.contains(index) {
            let entity = entities[index]
            guard entity.home != nil || rowsOfAdded[index] == nil else { continue }
            for (field, value) in entity.values.enumerated() {
                guard value.targets.contains(where: { gone.contains(current($0)) }) else {
                    continue
                }
                guard entity.home == realm else { throw Refused() }
                entities[index].values[field] = try GraphModel.without(
                    gone, value, entity.kind.fields[field].type)
            }
        }
        for row in gone { entities[row].isDeleted = true }
        rows[realm][entities[row].kind]?.removeAll { $0 == row }
        return gone
    }

    private static func without(
        _ gone: Set<Int>, _ value: Value, _ type: FieldType
    ) throws -> Value {
        switch value {
        case .nothing, .text, .number: return value
        case .link: return .nothing
        case .list(let objects):
            if case .any = type { throw Refused() }
            return .list(objects.filter { !gone.contains($0) })
        case .map(let entries):
            return .map(
                entries.map { entry in
                    let isGone = entry.object.map { gone.contains($0) } ?? false
                    return Value.Entry(key: entry.key, object: isGone ? nil : entry.object)
                })
        }
    }

    /// `list.append` of the children of a node.
    mutating func append(_ element: Int, to owner: Int) throws {
        let row = current(owner)
        var target = current(element)
        if let home = entities[row].home {
            target = try add(target, to: home, updates: false, copiesForeign: true)
        }
        if case .list(let list) = entities[row].values[2] {
            entities[row].values[2] = .list(list + [target])
        }
    }
}
