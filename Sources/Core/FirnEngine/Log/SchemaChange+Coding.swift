import FirnCodec
import FirnValues

/// The encoding of a schema change: its code and fields.
///
///     32 add classes      count, { class }         36 rename property  class, property, name
///     33 rename class     class, name              37 remove property  class, property
///     34 remove class     class                    38 set key          class, property + 1 or 0
///     35 add property     class, property,         39 add inverse      class, inverse
///                         u8 filled, [value]       40 remove inverse   class, name
///     41 model version    number
///
///     class    := name, u8 flags (1 embedded, 2 key), [key name], count, { property },
///                 count, { inverse }
///     property := name, type, display, u8 flags (1 indexed, 2 target, 4 column), [target name],
///                 [column name]
///     inverse  := name, class name, property name
extension SchemaChange {
    var code: Operation.Code {
        switch self {
        case .addClasses: .addClasses
        case .renameClass: .renameClass
        case .removeClass: .removeClass
        case .addProperty: .addProperty
        case .renameProperty: .renameProperty
        case .removeProperty: .removeProperty
        case .setKey: .setKey
        case .addInverse: .addInverse
        case .removeInverse: .removeInverse
        case .setModelVersion: .setModelVersion
        }
    }

    func writeFields(to writer: inout ByteWriter) throws(CodecError) {
        switch self {
        case .addClasses(let definitions):
            writer.varint(UInt64(definitions.count))
            for definition in definitions { definition.write(to: &writer) }
        case .renameClass(let id, let name), .removeInverse(let id, let name):
            writer.varint(UInt64(id.rawValue))
            writer.string(name)
        case .setModelVersion(let version): writer.varint(version)
        case .removeClass(let id): writer.varint(UInt64(id.rawValue))
        case .addProperty(let id, let definition, let defaultValue):
            writer.varint(UInt64(id.rawValue))
            definition.write(to: &writer)
            writer.u8(defaultValue == nil ? 0 : 1)
            try defaultValue?.writeTagged(to: &writer, depth: Operation.valueDepth)
        case .renameProperty(let id, let property, let name):
            writer.varint(UInt64(id.rawValue))
            writer.varint(UInt64(property.rawValue))
            writer.string(name)
        case .removeProperty(let id, let property):
            writer.varint(UInt64(id.rawValue))
            writer.varint(UInt64(property.rawValue))
        case .setKey(let id, let property):
            writer.varint(UInt64(id.rawValue))
            writer.varint(property.map { UInt64($0.rawValue) + 1 } ?? 0)
        case .addInverse(let id, let inverse):
            writer.varint(UInt64(id.rawValue))
            inverse.write(to: &writer)
        }
    }

    init(_ code: Operation.Code, from reader: inout ByteReader) throws(CodecError) {
        if code == .addClasses {
            self = .addClasses(
                try reader.list { reader throws(CodecError) in
                    try ClassDefinition(from: &reader)
                })
            return
        }
        if code == .setModelVersion {
            self = .setModelVersion(try reader.varint())
            return
        }
        let id = ClassID(try reader.varint32())
        switch code {
        case .renameClass: self = .renameClass(id, try reader.string())
        case .removeClass: self = .removeClass(id)
        case .addProperty:
            let definition = try ClassDefinition.Property(from: &reader)
            let isFilled = try reader.flags(max: 1) == 1
            self = .addProperty(
                id, definition, defaultValue: isFilled ? try Operation.value(from: &reader) : nil)
        case .renameProperty:
            let property = PropertyID(try reader.varint32())
            self = .renameProperty(id, property, try reader.string())
        case .removeProperty: self = .removeProperty(id, PropertyID(try reader.varint32()))
        case .setKey:
            let number = try reader.count(max: Int(UInt32.max) + 1)
            self = .setKey(id, number == 0 ? nil : PropertyID(UInt32(number - 1)))
        case .addInverse: self = .addInverse(id, try ClassDefinition.Inverse(from: &reader))
        case .removeInverse: self = .removeInverse(id, try reader.string())
        default: throw CodecError(.corrupt, "not a change of the schema", at: reader.offset)
        }
    }
}

extension ClassDefinition {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.string(name)
        writer.u8((isEmbedded ? 1 : 0) | (keyName == nil ? 0 : 2))
        if let keyName { writer.string(keyName) }
        writer.varint(UInt64(properties.count))
        for property in properties { property.write(to: &writer) }
        writer.varint(UInt64(inverses.count))
        for inverse in inverses { inverse.write(to: &writer) }
    }

    fileprivate init(from reader: inout ByteReader) throws(CodecError) {
        let name = try reader.string()
        let flags = try reader.flags(max: 3)
        let keyName = flags & 2 == 0 ? nil : try reader.string()
        let properties = try reader.list { reader throws(CodecError) in
            try ClassDefinition.Property(from: &reader)
        }
        let inverses = try reader.list { reader throws(CodecError) in
            try ClassDefinition.Inverse(from: &reader)
        }
        self.init(
            name: name, properties: properties, keyName: keyName, isEmbedded: flags & 1 != 0,
            inverses: inverses)
    }
}

extension ClassDefinition.Property {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.string(name)
        type.write(to: &writer)
        DisplayForm.write(display, to: &writer)
        writer.u8((isIndexed ? 1 : 0) | (targetName == nil ? 0 : 2) | (columnName == nil ? 0 : 4))
        if let targetName { writer.string(targetName) }
        if let columnName { writer.string(columnName) }
    }

    fileprivate init(from reader: inout ByteReader) throws(CodecError) {
        let name = try reader.string()
        let type = try PropertyType(from: &reader)
        let display = try DisplayForm.read(from: &reader)
        let flags = try reader.flags(max: 7)
        let targetName = flags & 2 == 0 ? nil : try reader.string()
        let columnName = flags & 4 == 0 ? nil : try reader.string()
        self.init(
            name: name, type: type, display: display, targetName: targetName,
            isIndexed: flags & 1 != 0, columnName: columnName)
    }
}

extension ClassDefinition.Inverse {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.string(name)
        writer.string(sourceClassName)
        writer.string(sourcePropertyName)
    }

    fileprivate init(from reader: inout ByteReader) throws(CodecError) {
        let name = try reader.string()
        let className = try reader.string()
        self.init(
            name: name, sourceClassName: className, sourcePropertyName: try reader.string())
    }
}

extension ByteReader {
    /// Reads a byte in which only some bits have a meaning.
    fileprivate mutating func flags(max maximum: UInt8) throws(CodecError) -> UInt8 {
        let flags = try u8()
        guard flags <= maximum else {
            throw CodecError(.corrupt, "unknown flags \(flags)", at: offset - 1)
        }
        return flags
    }

    /// Reads a count and the same number of records, each of at least one byte.
    fileprivate mutating func list<Element>(
        _ element: (inout ByteReader) throws(CodecError) -> Element
    ) throws(CodecError) -> [Element] {
        let count = try count(max: remaining)
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try element(&self)) }
        return elements
    }
}
