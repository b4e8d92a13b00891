import FirnTesting
import FirnValues
import Foundation
import Testing

@testable import Firn

/// Applies the same operations to objects and to their model.
struct GraphRun {
    private var generator: SplitMix64
    private var model = GraphModel()
    private let realms: [Realm]
    /// The objects of the program, by their numbers in the model.
    private var objects: [Int: ObjectBase] = [:]
    private var count = 0
    private(set) var doneCount = 0
    /// The last step, for the message about a difference.
    private var last = ""

    init(seed: UInt64) throws {
        generator = SplitMix64(seed: seed)
        realms = try (0..<2).map { _ in
            try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: UUID().uuidString,
                    objectTypes: [GraphNode.self, KeyedGraphNode.self]))
        }
    }

    private mutating func number(_ bound: Int) -> Int {
        Int(generator.next() % UInt64(max(1, bound)))
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[number(elements.count)]
    }

    // MARK: Values

    /// An object of a kind; embedded ones only without a parent.
    private mutating func object(_ kind: GraphModel.Kind) -> Int? {
        pick(objects.keys.filter { model.kind($0) == kind }.sorted())
    }

    private mutating func given(_ type: GraphModel.FieldType, _ depth: Int) -> GraphModel.Given {
        switch type {
        case .text:
            count += 1
            return .value(.text("t\(count)"))
        case .number:
            return .value(.number(number(12)))
        case .link(let kind):
            if depth > 0, generator.happens(oneIn: 3) || kind == .part {
                return fields(kind, depth - 1)
            }
            return .value(object(kind).map { .link($0) } ?? .nothing)
        case .list(let kind):
            return .list(
                (0..<number(4)).compactMap { _ in
                    if depth > 0, generator.happens(oneIn: 3) { return fields(kind, depth - 1) }
                    return object(kind).map { .value(.link($0)) }
                })
        case .map(let kind):
            return .value(
                .map((0..<number(3)).map { .init(key: "k\($0)", object: object(kind)) }))
        case .any:
            switch number(4) {
            case 0: return .value(.number(number(9)))
            case 1: return .value(object(.node).map { .link($0) } ?? .nothing)
            case 2: return .value(.list((0..<number(3)).compactMap { _ in object(.keyed) }))
            default: return .value(.nothing)
            }
        }
    }

    private mutating func fields(_ kind: GraphModel.Kind, _ depth: Int) -> GraphModel.Given {
        var fields: [(field: Int, given: GraphModel.Given)] = []
        for (index, field) in kind.fields.enumerated() {
            guard index == 0 || generator.happens(oneIn: 2) else { continue }
            fields.append((index, given(field.type, depth)))
        }
        return .fields(fields)
    }

    private mutating func value(_ kind: GraphModel.Kind) -> GraphModel.Given {
        if generator.happens(oneIn: 3), let source = object(kind) { return .value(.link(source)) }
        return fields(kind, 2)
    }

    /// The value that a program would pass.
    private func argument(_ given: GraphModel.Given, _ kind: GraphModel.Kind) -> Any {
        switch given {
        case .value(.link(let source)): return objects[source] as Any
        case .fields(let fields):
            var values: [String: Any] = [:]
            for (field, given) in fields {
                let (name, type) = kind.fields[field]
                values[name] = argument(given, type)
            }
            return values
        case .value, .list: return NSNull()
        }
    }

    private func argument(_ given: GraphModel.Given, _ type: GraphModel.FieldType) -> Any {
        switch (given, type) {
        case (.fields, .link(let kind)): return argument(given, kind)
        case (.list(let elements), .list(let kind)): return elements.map { argument($0, kind) }
        case (.value(let value), .any): return any(value)
        case (.value(let value), _): return plain(value)
        default: return NSNull()
        }
    }

    private func plain(_ value: GraphModel.Value) -> Any {
        switch value {
        case .nothing: NSNull()
        case .text(let text): text
        case .number(let number): number
        case .link(let object): objects[object] as Any
        case .list(let list): list.map { objects[$0] as Any }
        case .map(let entries):
            Dictionary(
                uniqueKeysWithValues: entries.map { entry in
                    (entry.key, entry.object.flatMap { objects[$0] } ?? NSNull() as Any)
                })
        }
    }

    private func any(_ value: GraphModel.Value) -> AnyRealmValue {
        switch value {
        case .number(let number): .int(number)
        case .link(let object): (objects[object] as? Object).map { .object($0) } ?? .none
        case .list(let list):
            .fromArray(list.compactMap { (objects[$0] as? Object).map { .object($0) } })
        case .nothing, .text, .map: .none
        }
    }

    // MARK: Steps

    /// Performs one operation, unless the program would stop, and compares everything.
    mutating func step() throws {
        let known = model
        do {
            switch number(11) {
            case 0..<3: try make()
            case 3..<5: try add()
            case 5..<8: try create()
            case 8: try delete()
            default: try append()
            }
            doneCount += 1
        } catch is GraphModel.Refused {
            model = known
        }
        try compare()
    }

    private mutating func make() throws {
        let kind: GraphModel.Kind = generator.happens(oneIn: 3) ? .keyed : .node
        let given = value(kind)
        last = "make \(kind): \(given)"
        let number = try model.make(kind, given)
        let argument = argument(given, kind)
        bind(
            number, kind == .keyed ? KeyedGraphNode(value: argument) : GraphNode(value: argument))
    }

    private mutating func add() throws {
        let kind: GraphModel.Kind = generator.happens(oneIn: 2) ? .keyed : .node
        let target = number(2)
        guard let number = object(kind), let object = objects[number] as? Object else { return }
        let updates = kind == .keyed && generator.happens(oneIn: 2)
        last = "add \(kind) \(number) to \(target), updates \(updates)"
        try model.add(number, to: target, updates: updates)
        let policy = updates ? updating() : .error
        try realms[target].write { realms[target].add(object, update: policy) }
    }

    private mutating func updating() -> Realm.UpdatePolicy {
        generator.happens(oneIn: 2) ? .modified : .all
    }

    private mutating func create() throws {
        let kind: GraphModel.Kind = generator.happens(oneIn: 2) ? .keyed : .node
        let target = number(2)
        let given = value(kind)
        let updates = kind == .keyed && !generator.happens(oneIn: 3)
        let isDynamic = generator.happens(oneIn: 4)
        last = "create \(kind) in \(target), dynamic \(isDynamic), updates \(updates): \(given)"
        let row = try model.create(kind, given, in: target, updates: updates)
        let policy = updates ? updating() : .error
        let argument = argument(given, kind)
        try realms[target].write {
            let object: Object =
                isDynamic
                ? realms[target].dynamicCreate(kind.rawValue, value: argument, update: policy)
                : kind == .keyed
                    ? realms[target].create(KeyedGraphNode.self, value: argument, update: policy)
                    : realms[target].create(GraphNode.self, value: argument, update: policy)
            if objects[row] == nil { objects[row] = object }
        }
    }

    private mutating func delete() throws {
        let kind: GraphModel.Kind = generator.happens(oneIn: 2) ? .keyed : .node
        guard let number = object(kind), let object = objects[number] as? Object,
            let home = model.home(number)
        else { return }
        last = "delete \(kind) \(number) from \(home)"
        let gone = try model.delete(number)
        try realms[home].write { realms[home].delete(object) }
        for (number, object) in objects where gone.contains(model.current(number)) {
            try #require(object.isInvalidated, "\(number) after: \(last)")
            objects[number] = nil
        }
    }

    /// Appends to the list of an object, managed or not.
    private mutating func append() throws {
        guard let owner = object(.node), let element = object(.node),
            let list = (objects[owner] as? GraphNode)?.children,
            let object = objects[element] as? GraphNode
        else { return }
        last = "append \(element) to \(owner)"
        try model.append(element, to: owner)
        guard let home = model.home(owner) else { return list.append(object) }
        try realms[home].write { list.append(object) }
    }

    /// Records the objects that an unmanaged one created.
    private mutating func bind(_ number: Int, _ object: ObjectBase) {
        guard objects[number] == nil, !model.isManaged(number) else { return }
        objects[number] = object
        for (field, value) in zip(model.kind(number).fields, model.entities[number].values) {
            let found = GraphRun.targets(object[field.name] as Any)
            for (target, object) in zip(value.targets, found) { bind(target, object) }
        }
    }

    // MARK: Comparing

    /// The objects in a value, in the order of the model.
    private static func targets(_ value: Any) -> [ObjectBase] {
        switch value {
        case let object as ObjectBase: return [object]
        case AnyRealmValue.object(let object): return [object]
        case AnyRealmValue.list(let list): return list.flatMap { targets($0) }
        case let map as any RealmKeyedCollection:
            let entries = map.anyEntries
            return entries.orderedKeys.flatMap { key in
                something(in: entries[key] as Any).map { targets($0) } ?? []
            }
        case let list as any RealmCollection: return list.flatMap { targets($0 as Any) }
        default: return []
        }
    }

    private func compare() throws {
        for realm in realms.indices {
            for kind in [GraphModel.Kind.node, .keyed] {
                let rows = model.rows[realm][kind] ?? []
                let found = Array(realms[realm].dynamicObjects(kind.rawValue))
                try #require(found.count == rows.count, "\(kind) in \(realm) after: \(last)")
                for (row, object) in zip(rows, found) { try compare(row, object) }
            }
        }
        for (number, object) in objects {
            guard !model.isManaged(number) else {
                try #require(object.realm == model.home(number).map { realms[$0] })
                continue
            }
            try #require(object.realm == nil)
            try compare(number, object)
        }
    }

    private func compare(_ number: Int, _ object: ObjectBase) throws {
        let entity = model.entities[number]
        for (field, value) in zip(entity.kind.fields, entity.values) {
            let found = object[field.name].flatMap { something(in: $0) }
            let place = "\(entity.kind) \(number) .\(field.name) after: \(last)"
            switch value {
            case .text(let text): try #require(found as? String == text, "\(place)")
            case .number(let number):
                let content = (found as? AnyRealmValue)?.intValue ?? found as? Int
                try #require(content == number, "\(place)")
            case .nothing:
                try #require(
                    found == nil || found as? AnyRealmValue == AnyRealmValue.none, "\(place)")
            case .map(let entries):
                let keys = (found as? any RealmKeyedCollection)?.anyEntries.orderedKeys
                try #require(keys == entries.map(\.key), "\(place)")
                try compareTargets(value, found, place)
            case .link, .list: try compareTargets(value, found, place)
            }
        }
    }

    private func compareTargets(_ value: GraphModel.Value, _ found: Any?, _ place: String) throws {
        let objects = found.map { GraphRun.targets($0) } ?? []
        try #require(objects.count == value.targets.count, "\(place)")
        for (target, object) in zip(value.targets, objects) {
            let target = model.current(target)
            if model.kind(target) == .part {
                guard !model.entities[target].isDeleted else { continue }
                try #require((object.realm == nil) == !model.isManaged(target), "\(place)")
                try compare(target, object)
            } else if let home = model.home(target) {
                let kind = model.kind(target)
                let position = model.rows[home][kind]?.firstIndex(of: target)
                let row = realms[home].dynamicObjects(kind.rawValue)[position ?? 0]
                try #require(object.realm == realms[home], "\(place)")
                try #require(object.access?.row == row.access?.row, "\(place)")
            } else {
                try #require(object === self.objects[target], "\(place)")
            }
        }
    }
}
