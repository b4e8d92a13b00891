import FirnCodec
import FirnValues

/// The encoding of the catalog as a blob.
///
/// Records are preceded by their length, so that a reader skips fields that a later writer of the
/// same format appended to them.
///
///     catalog  := next class id, schema version, count, { length, class }, count,
///                 { length, freeze }, [model version]
///     class    := id, name, next property id, key + 1 or 0, flags, next row id, live rows, groups,
///                 level + 1 or 0, [reference], u8 key index (0 ascending, 1 no key yet, 2 tree),
///                 [tree], count, { length, property }, count, { inverse }, [indexes]
///     property := id, name, column name, u8 base, u8 container, u8 optional, target + 1 or 0,
///                 u8 integer width, index kinds, u8 display form, display argument,
///                 u8 trees (1: link index, 2: large collections, 4: default value), [tree], [tree],
///                 [tagged value]
///     inverse  := name, class id, property id
///     indexes  := count, { length, index }
///     index    := id, options, count, { property id }, u8 tree (0 to be built, 1 no entry, 2 tree),
///                 [tree]
///
/// A class without indexes ends after its inverses. A property that is marked as indexed, and has no
/// index in the list, was written by an earlier build; its index is to be built.
///
/// Only roots of format 1 have freezes in their catalog. Catalogs of files without freezes may end
/// after the classes, those without a model version after the freezes.
///
/// Numbers are varints, names are length and UTF-8. Flags: 1 embedded, 2 the key may be nil. Index
/// kinds: 1 indexed.
extension Catalog {
    func encoded() throws(CodecError) -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(UInt64(nextClassID.rawValue))
        writer.varint(schemaVersion)
        writer.varint(UInt64(classes.count))
        for record in classes {
            var body = ByteWriter()
            try record.write(to: &body)
            writer.varint(UInt64(body.count))
            writer.bytes(body.bytes)
        }
        Freeze.write(freezes, to: &writer)
        if let modelVersion { writer.varint(modelVersion) }
        return writer.bytes
    }

    init(decoding bytes: [UInt8]) throws(CodecError) {
        self = try bytes.withBytes { bytes throws(CodecError) in
            var reader = ByteReader(bytes)
            var catalog = Catalog()
            catalog.nextClassID = ClassID(try reader.id())
            catalog.schemaVersion = try reader.varint()
            let count = try reader.count()
            // Sets keep the time for many crafted classes proportional to their bytes.
            var ids: Set<ClassID> = []
            var names: TextSet = []
            for _ in 0..<count {
                var body = try reader.record()
                let record = try ClassRecord(from: &body)
                guard record.schema.id < catalog.nextClassID,
                    ids.insert(record.schema.id).inserted,
                    names.insert(record.schema.name).inserted
                else { throw CodecError(.corrupt, "class twice in the catalog") }
                catalog.classes.append(record)
            }
            if !reader.isAtEnd { catalog.freezes = try Freeze.list(from: &reader) }
            if !reader.isAtEnd { catalog.modelVersion = try reader.varint() }
            try catalog.checkConsistency()
            return catalog
        }
    }
}

extension ClassRecord {
    fileprivate func write(to writer: inout ByteWriter) throws(CodecError) {
        writer.varint(UInt64(schema.id.rawValue))
        writer.string(schema.name)
        writer.varint(UInt64(nextPropertyID.rawValue))
        writer.varint(schema.key.map { UInt64($0.rawValue) + 1 } ?? 0)
        // Readers that do not support nil keys reject the second flag.
        writer.varint((schema.isEmbedded ? 1 : 0) | (schema.mayKeyBeNull ? 2 : 0))
        writer.varint(nextRowID.rawValue)
        writer.varint(liveRowCount)
        writer.varint(groupCount)
        writer.varint(directory.map { UInt64($0.level) + 1 } ?? 0)
        directory?.reference.write(to: &writer)
        switch keyIndex {
        case .ascending: writer.u8(0)
        case .tree(nil): writer.u8(1)
        case .tree(let root?):
            writer.u8(2)
            root.write(to: &writer)
        }
        writer.varint(UInt64(schema.properties.count))
        for property in schema.properties {
            var body = ByteWriter()
            property.write(to: &body)
            try writeTrees(of: property.id, to: &body)
            writer.varint(UInt64(body.count))
            writer.bytes(body.bytes)
        }
        writer.varint(UInt64(schema.inverses.count))
        for inverse in schema.inverses {
            writer.string(inverse.name)
            writer.varint(UInt64(inverse.sourceClass.rawValue))
            writer.varint(UInt64(inverse.sourceProperty.rawValue))
        }
        if !schema.indexes.isEmpty { writeIndexes(to: &writer) }
    }

    private func writeTrees(
        of property: PropertyID, to writer: inout ByteWriter
    ) throws(CodecError) {
        let links = linkIndexes[property]
        let elements = collectionTrees[property]
        let defaultValue = defaultValues[property]
        writer.u8(
            (links == nil ? 0 : 1) | (elements == nil ? 0 : 2) | (defaultValue == nil ? 0 : 4))
        links?.write(to: &writer)
        elements?.write(to: &writer)
        try defaultValue?.writeTagged(to: &writer)
    }

    private mutating func readTrees(
        of property: PropertyID, from reader: inout ByteReader
    ) throws(CodecError) {
        let flags = try reader.u8()
        guard flags <= 7 else {
            throw CodecError(.corrupt, "unknown trees of a property", at: reader.offset)
        }
        if flags & 1 != 0 { linkIndexes[property] = try TreeRoot(from: &reader) }
        if flags & 2 != 0 { collectionTrees[property] = try TreeRoot(from: &reader) }
        if flags & 4 != 0 { defaultValues[property] = try Value(taggedFrom: &reader) }
    }

    fileprivate init(from reader: inout ByteReader) throws(CodecError) {
        let id = ClassID(try reader.id())
        let name = try reader.string()
        let nextPropertyID = PropertyID(try reader.id())
        let key = try reader.optionalID().map { PropertyID($0) }
        let flags = try reader.varint()
        guard flags <= 3 else {
            throw CodecError(.corrupt, "class of a later version", at: reader.offset)
        }
        let nextRowID = RowID(try reader.varint())
        guard nextRowID <= RowID.limit else {
            throw CodecError(.corrupt, "next row id too large", at: reader.offset)
        }
        let liveRowCount = try reader.varint()
        let groupCount = try reader.varint()
        var directory: DirectoryRoot?
        let levels = try reader.varint()
        guard levels <= UInt64(DirectoryRoot.maximumLevel) + 1 else {
            throw CodecError(.corrupt, "directory too deep", at: reader.offset)
        }
        if levels > 0 {
            directory = DirectoryRoot(
                reference: try PageReference(from: &reader), level: Int(levels) - 1)
        }
        let keyIndex = try KeyIndex(from: &reader)
        var trees = ClassRecord.empty
        var properties: [PropertySchema] = []
        let count = try reader.count()
        guard count <= ClassSchema.propertyCountMaximum else {
            throw CodecError(.corrupt, "too many properties in a class", at: reader.offset)
        }
        var ids: Set<PropertyID> = []
        var names: TextSet = []
        for _ in 0..<count {
            var body = try reader.record()
            let property = try PropertySchema(from: &body)
            guard property.id < nextPropertyID, ids.insert(property.id).inserted,
                names.insert(property.name).inserted
            else { throw CodecError(.corrupt, "property twice in the catalog") }
            properties.append(property)
            try trees.readTrees(of: property.id, from: &body)
        }
        let inverses = try ClassRecord.inverses(from: &reader, names: &names)
        let indexes = try trees.readIndexes(of: properties, from: &reader)
        if let key, !properties.contains(where: { $0.id == key }) {
            throw CodecError(.corrupt, "key is not a property", at: reader.offset)
        }
        let schema = ClassSchema(
            id: id, name: name, properties: properties, key: key, isEmbedded: flags & 1 != 0,
            inverses: inverses, indexes: indexes)
        guard schema.mayKeyBeNull == (flags & 2 != 0) else {
            throw CodecError(.corrupt, "key of another kind than its class", at: reader.offset)
        }
        self.init(
            schema: schema, nextPropertyID: nextPropertyID, nextRowID: nextRowID,
            liveRowCount: liveRowCount,
            groupCount: groupCount, directory: directory, keyIndex: keyIndex,
            linkIndexes: trees.linkIndexes, collectionTrees: trees.collectionTrees,
            indexTrees: trees.indexTrees, defaultValues: trees.defaultValues)
    }

    private static let empty = ClassRecord(
        schema: ClassSchema(id: ClassID(0), name: "", properties: [], key: nil),
        nextPropertyID: PropertyID(0))

    private static func inverses(
        from reader: inout ByteReader, names: inout TextSet
    ) throws(CodecError) -> [InverseProperty] {
        var inverses: [InverseProperty] = []
        for _ in 0..<(try reader.count()) {
            let name = try reader.string()
            guard names.insert(name).inserted else {
                throw CodecError(.corrupt, "inverse property twice in the catalog")
            }
            inverses.append(
                InverseProperty(
                    name: name, sourceClass: ClassID(try reader.id()),
                    sourceProperty: PropertyID(try reader.id())))
        }
        return inverses
    }
}

extension KeyIndex {
    fileprivate init(from reader: inout ByteReader) throws(CodecError) {
        switch try reader.u8() {
        case 0: self = .ascending
        case 1: self = .tree(nil)
        case 2: self = .tree(try TreeRoot(from: &reader))
        default: throw CodecError(.corrupt, "unknown key index", at: reader.offset)
        }
    }
}

extension PropertySchema {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.varint(UInt64(id.rawValue))
        writer.string(name)
        writer.string(columnName)
        type.write(to: &writer)
        writer.varint(isIndexed ? 1 : 0)
        DisplayForm.write(display, to: &writer)
    }

    fileprivate convenience init(from reader: inout ByteReader) throws(CodecError) {
        let id = PropertyID(try reader.id())
        let name = try reader.string()
        let columnName = try reader.string()
        let type = try PropertyType(from: &reader)
        guard (type.target != nil) == (type.base == .link) else {
            throw CodecError(.corrupt, "impossible property type", at: reader.offset)
        }
        let indexes = try reader.varint()
        let display = try DisplayForm.read(from: &reader)
        self.init(
            id: id, name: name, type: type, display: display, isIndexed: indexes & 1 == 1,
            columnName: columnName)
    }
}

extension ByteReader {
    mutating func id() throws(CodecError) -> UInt32 {
        guard let id = UInt32(exactly: try varint()) else {
            throw CodecError(.corrupt, "identity too large", at: offset)
        }
        return id
    }

    fileprivate mutating func optionalID() throws(CodecError) -> UInt32? {
        let number = try varint()
        guard number <= UInt64(UInt32.max) else {
            throw CodecError(.corrupt, "identity too large", at: offset)
        }
        return number == 0 ? nil : UInt32(number - 1)
    }

    /// Reads the number of records that follow, each of at least one byte.
    mutating func count() throws(CodecError) -> Int {
        let number = try varint()
        guard number <= UInt64(remaining) else {
            throw CodecError(.corrupt, "more records than bytes", at: offset)
        }
        return Int(number)
    }

    mutating func record() throws(CodecError) -> ByteReader {
        let length = try varint()
        guard length <= UInt64(remaining) else {
            throw CodecError(.corrupt, "record longer than the rest", at: offset)
        }
        return ByteReader(try bytes(Int(length)))
    }
}
