import FirnCodec
import FirnValues

/// The encoding of the indexes of a class in the catalog; see ``Catalog``.
extension ClassRecord {
    func writeIndexes(to writer: inout ByteWriter) {
        writer.varint(UInt64(schema.indexes.count))
        for index in schema.indexes {
            var body = ByteWriter()
            body.varint(UInt64(index.id.rawValue))
            body.varint(UInt64(index.options.rawValue))
            body.varint(UInt64(index.properties.count))
            for property in index.properties { body.varint(UInt64(property.rawValue)) }
            switch indexTrees[index.id] ?? .unbuilt {
            case .unbuilt: body.u8(0)
            case .built(nil): body.u8(1)
            case .built(let root?):
                body.u8(2)
                root.write(to: &body)
            }
            writer.varint(UInt64(body.count))
            writer.bytes(body.bytes)
        }
    }

    /// Reads the indexes, if there are any, and adds the indexes of marked properties.
    ///
    /// An index with options of a later version is left out: only a build that knows its feature
    /// writes to the file.
    mutating func readIndexes(
        of properties: [PropertySchema], from reader: inout ByteReader
    ) throws(CodecError) -> [IndexSchema] {
        var indexes: [IndexSchema] = []
        if !reader.isAtEnd {
            for _ in 0..<(try reader.count()) {
                var body = try reader.record()
                guard let index = try readIndex(of: properties, from: &body) else { continue }
                guard !indexes.contains(where: { $0.id == index.id || $0.isSame(as: index) })
                else { throw CodecError(.corrupt, "index twice in the catalog") }
                indexes.append(index)
            }
        }
        for property in properties where property.isIndexed && property.canBeIndexed {
            let last = indexes.map(\.id.rawValue).max() ?? 0
            guard last < .max else { break }
            let index = IndexSchema(id: IndexID(last + 1), properties: [property.id])
            guard !indexes.contains(where: { $0.isSame(as: index) }) else { continue }
            indexes.append(index)
            indexTrees[index.id] = .unbuilt
        }
        return indexes
    }

    private mutating func readIndex(
        of known: [PropertySchema], from reader: inout ByteReader
    ) throws(CodecError) -> IndexSchema? {
        let id = IndexID(try reader.id())
        let options = try reader.varint()
        var properties: [PropertyID] = []
        for _ in 0..<(try reader.count()) { properties.append(PropertyID(try reader.id())) }
        let tree: IndexTree
        switch try reader.u8() {
        case 0: tree = .unbuilt
        case 1: tree = .built(nil)
        case 2: tree = .built(try TreeRoot(from: &reader))
        default: throw CodecError(.corrupt, "unknown tree of an index", at: reader.offset)
        }
        guard options <= UInt64(IndexSchema.Options.known.rawValue) else { return nil }
        let index = IndexSchema(
            id: id, properties: properties,
            options: IndexSchema.Options(rawValue: UInt8(truncatingIfNeeded: options)))
        let columns = properties.compactMap { id in known.first { $0.id == id } }
        guard columns.count == properties.count, index.isPossible(on: columns) else {
            throw CodecError(.corrupt, "impossible index", at: reader.offset)
        }
        indexTrees[id] = tree
        return index
    }
}

extension IndexSchema {
    /// Whether another index has the same properties and options.
    func isSame(as other: IndexSchema) -> Bool {
        properties == other.properties && options == other.options
    }

    /// Whether there can be such an index.
    func isPossible(on columns: [PropertySchema]) -> Bool {
        guard 1...IndexSchema.propertyCountMaximum ~= columns.count,
            Set(columns.map(\.id)).count == columns.count,
            columns.allSatisfy(\.canBeIndexed)
        else { return false }
        if options.contains(.caseInsensitive),
            !columns.contains(where: { $0.type.base == .string })
        {
            return false
        }
        let isSingle = columns.allSatisfy { $0.type.container == .single }
        return isSingle || columns.count == 1 && !isUnique
    }
}
