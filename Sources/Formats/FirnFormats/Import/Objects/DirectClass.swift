import FirnEngine
import FirnText
import FirnValues

/// The conversion of the fields of one class that need no plan.
///
/// A text is converted here only if its form leaves no doubt. All others return `nil`, and the
/// record is read by ``ObjectPlanner``, which knows every form and every mistake.
final class DirectClass {
    /// The meaning of a field.
    enum Slot: Equatable {
        case property(Int)
        case identity
        case className
        /// A field that needs more than this.
        case other
    }

    private struct Column {
        let property: PropertySchema
        let isSupported: Bool
        let mayBeNull: Bool
        /// The class of a link whose objects are found by their key.
        let target: ClassSchema?
    }

    let schema: ClassSchema
    /// The values of a new object without any field.
    let absent: [Value]
    /// The properties that a new object must have.
    private let required: [Int]
    private let columns: [Column]
    let fields: ClassFields
    // Exclusivity is not checked at run time, as in ``DirectInsertion``.
    /// The fields of the last record in their order, which the next one usually shares.
    @exclusivity(unchecked) private var shape: [(name: [UInt8], slot: Slot)] = []
    /// The objects that links led to, by column and key; empty without links.
    @exclusivity(unchecked) private var targets: [[Value: RowID]]
    /// By column, the links to objects that come later; `nil` if there must be none.
    private let later: [KeyedLinks.Column?]
    /// The links of the record that is being read to objects that come later.
    @exclusivity(unchecked) private(set) var pending: [(column: KeyedLinks.Column, key: Value)] = []

    /// - Parameter links: receives links to objects that come later; `nil` if there must be none.
    init(
        _ schema: ClassSchema, _ fields: ClassFields, in database: Schema, links: KeyedLinks?
    ) {
        self.schema = schema
        self.fields = fields
        absent = schema.properties.map { $0.type.absentValue ?? .null }
        required = fields.required.compactMap { schema.index(of: $0) }
        columns = schema.properties.map { property in
            let target = DirectClass.target(of: property, in: database)
            let isScalar = [.bool, .int, .double, .string, .date].contains(property.type.base)
            return Column(
                property: property,
                isSupported: property.type.container == .single && (isScalar || target != nil),
                mayBeNull: property.type.isOptional || property.type.base == .link, target: target)
        }
        let hasLinks = columns.contains { $0.target != nil }
        targets = hasLinks ? Array(repeating: [:], count: columns.count) : []
        later = columns.map { column in
            column.target.flatMap { links?.column(schema.id, column.property, to: $0) }
        }
    }

    /// Begins a record.
    func begin() { if !pending.isEmpty { pending.removeAll(keepingCapacity: true) } }

    private static func target(of property: PropertySchema, in database: Schema) -> ClassSchema? {
        guard property.type.base == .link, let id = property.type.target,
            let target = database[id], !target.isEmbedded, let key = target.keyProperty,
            [.string, .int].contains(key.type.base), key.type.integerWidth == .bits64
        else { return nil }
        return target
    }

    /// Returns the meaning of a field.
    ///
    /// - Parameter index: the index of the field in its record.
    func slot(_ name: UnsafeBufferPointer<UInt8>, at index: Int) -> Slot {
        if index < shape.count,
            shape[index].name.withUnsafeBufferPointer({ FlatObject.equals(name, $0) })
        {
            return shape[index].slot
        }
        let found = slot(String(decoding: name, as: UTF8.self))
        if index < shape.count {
            shape[index] = (Array(name), found)
        } else if index == shape.count {
            shape.append((Array(name), found))
        }
        return found
    }

    func slot(_ name: String) -> Slot {
        guard let property = fields.property(of: name) else {
            switch name {
            case ReservedName.id: return .identity
            case ReservedName.className: return .className
            default: return .other
            }
        }
        guard let index = schema.index(of: property.id), columns[index].isSupported
        else { return .other }
        return .property(index)
    }

    /// Whether an object with values for some properties has all required values.
    func isComplete(where isGiven: (Int) -> Bool) -> Bool { required.allSatisfy(isGiven) }

    // MARK: Values

    /// Returns the null of a property, if it may be null.
    func null(_ index: Int) -> Value? {
        // A null key is the identity of one object, which has to be looked up.
        columns[index].mayBeNull && columns[index].property.id != schema.key ? .null : nil
    }

    /// Converts a JSON value.
    func value(
        _ member: FlatObject.Member, _ index: Int, _ transaction: WriteTransaction
    ) throws(StoreError) -> Value? {
        let text = member.text
        switch member.kind {
        case .null: return null(index)
        case .bool:
            guard columns[index].property.type.base == .bool else { return nil }
            return .bool(text.count == 4)
        case .number:
            switch columns[index].property.type.base {
            case .int: return int(text, index)
            case .double: return double(text)
            case .link: return try link(text, index, as: .int, transaction)
            default: return nil
            }
        case .string:
            switch columns[index].property.type.base {
            case .string: return .string(String(decoding: text, as: UTF8.self))
            case .date: return Timestamp.parse(text).map { .date($0.timestamp) }
            case .link: return try link(text, index, as: .string, transaction)
            default: return nil
            }
        }
    }

    /// Converts the field of a table.
    func value(
        cell text: UnsafeBufferPointer<UInt8>, _ index: Int, _ transaction: WriteTransaction
    ) throws(StoreError) -> Value? {
        switch columns[index].property.type.base {
        case .bool:
            guard text.count == 4 || text.count == 5 else { return nil }
            if text.elementsEqual("true".utf8) { return .bool(true) }
            return text.elementsEqual("false".utf8) ? .bool(false) : nil
        case .int: return int(text, index)
        case .double: return double(text)
        case .string: return .string(String(decoding: text, as: UTF8.self))
        case .date: return Timestamp.parse(text).map { .date($0.timestamp) }
        case .link:
            guard text.first != UInt8(ascii: "{"),
                let base = columns[index].target?.keyProperty?.type.base
            else { return nil }
            return try link(text, index, as: base, transaction)
        default: return nil
        }
    }

    private func double(_ text: UnsafeBufferPointer<UInt8>) -> Value? {
        if let decimal = NumberText.decimal(text) { return .double(decimal.value) }
        return NumberText.int(text).flatMap { Double(exactly: $0) }.map { .double($0) }
    }

    private func int(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Value? {
        guard let number = NumberText.int(text),
            columns[index].property.type.integerWidth.range.contains(number)
        else { return nil }
        return .int(number)
    }

    /// Returns the link to the object with a key, if it exists.
    private func link(
        _ text: UnsafeBufferPointer<UInt8>, _ index: Int, as base: ValueTag,
        _ transaction: WriteTransaction
    ) throws(StoreError) -> Value? {
        guard let target = columns[index].target, target.keyProperty?.type.base == base else {
            return nil
        }
        let key: Value
        if base == .int {
            guard let number = NumberText.int(text) else { return nil }
            key = .int(number)
        } else {
            key = .string(String(decoding: text, as: UTF8.self))
        }
        if let known = targets[index][key] {
            return .link(ObjectReference(classID: target.id, rowID: known))
        }
        if let later = later[index], later.index(of: key) != nil {
            pending.append((later, key))
            return .null
        }
        guard let row = try transaction.row(forKey: key, in: target.id) else {
            guard let later = later[index] else { return nil }
            pending.append((later, key))
            return .null
        }
        if targets[index].count >= DirectClass.knownTargetsMax { targets[index].removeAll() }
        targets[index][key] = row
        return .link(ObjectReference(classID: target.id, rowID: row))
    }

    /// The maximum number of objects of a column whose keys are remembered.
    private static let knownTargetsMax = 100_000
}
