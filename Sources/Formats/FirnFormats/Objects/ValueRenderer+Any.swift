import FirnCodec
import FirnEngine
import FirnText
import FirnValues

extension ValueRenderer {
    /// Returns the texts of a vector of Any.
    func anyTexts(_ vector: ColumnVector) throws(StoreError) -> TextColumn {
        let values = (0..<vector.count).map { vector.value(at: $0) }
        var targets: [ClassID: [RowID]] = [:]
        for value in values { ValueRenderer.collect(value, &targets) }
        var references = ReferenceTexts()
        for (id, rows) in targets {
            guard let schema = lookup.schema[id] else {
                throw StoreError(
                    .corrupt, path: "", detail: "a link to a class that does not exist")
            }
            references.add(try keyTexts(rows, schema, .json), schema)
        }
        let texts = TextColumn()
        for value in values {
            append(any: value, references, to: texts)
            texts.endText()
        }
        return texts
    }

    private static func collect(_ value: Value, _ targets: inout [ClassID: [RowID]]) {
        switch value {
        case .link(let reference): targets[reference.classID, default: []].append(reference.rowID)
        case .list(let values), .set(let values):
            for value in values { collect(value, &targets) }
        case .map(let entries): for value in entries.values { collect(value, &targets) }
        default: break
        }
    }

    /// Appends a value so that it reads back unchanged, with its type if JSON alone would lose it.
    private func append(any value: Value, _ references: ReferenceTexts, to texts: TextColumn) {
        switch value {
        case .null: texts.buffer.append("null")
        case .bool(let flag): texts.buffer.append(string: flag ? "true" : "false")
        case .int(let number) where !options.quotesInt64: texts.buffer.append(int: number)
        case .string(let text): texts.buffer.append(jsonString: text)
        // Programs that read and write JSON convert 12.0 to 12.
        case .double(let number) where number.isFinite && number != number.rounded():
            texts.buffer.append(double: number)
        case .data(let bytes):
            texts.buffer.append("{\"$data\":\"")
            bytes.withUnsafeBufferPointer { Base64.encode($0, to: &texts.buffer) }
            texts.buffer.append("\"}")
        case .link(let reference): references.append(reference, to: texts)
        case .list(let values): append(list: values, references, to: texts)
        case .map(let entries): append(map: entries, references, to: texts)
        case .int, .float, .double, .date, .decimal128, .objectID, .uuid, .set:
            texts.buffer.append("{\"$type\":")
            texts.buffer.append(jsonString: ValueRenderer.tagName(value.tag))
            texts.buffer.append(",\"value\":")
            append(tagged: value, references, to: texts)
            texts.buffer.append(UInt8(ascii: "}"))
        }
    }

    private func append(tagged value: Value, _ references: ReferenceTexts, to texts: TextColumn) {
        switch value {
        case .double(let number) where number.isFinite: texts.buffer.append(double: number)
        case .float(let number) where number.isFinite: texts.buffer.append(float: number)
        case .set(let values): append(list: values, references, to: texts)
        default:
            texts.buffer.append(UInt8(ascii: "\""))
            switch value {
            case .double(let number): texts.buffer.append(double: number)
            case .float(let number): texts.buffer.append(float: number)
            default: texts.buffer.append(string: value.description)
            }
            texts.buffer.append(UInt8(ascii: "\""))
        }
    }

    private func append(list values: [Value], _ references: ReferenceTexts, to texts: TextColumn) {
        texts.buffer.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { texts.buffer.append(UInt8(ascii: ",")) }
            append(any: value, references, to: texts)
        }
        texts.buffer.append(UInt8(ascii: "]"))
    }

    private func append(
        map entries: TextMap<Value>, _ references: ReferenceTexts, to texts: TextColumn
    ) {
        texts.buffer.append(UInt8(ascii: "{"))
        let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, entry) in sorted.enumerated() {
            if index > 0 { texts.buffer.append(UInt8(ascii: ",")) }
            texts.buffer.append(jsonString: entry.key)
            texts.buffer.append(UInt8(ascii: ":"))
            append(any: entry.value, references, to: texts)
        }
        texts.buffer.append(UInt8(ascii: "}"))
    }

    /// Returns the name of the type with a lowercase first letter: `date`, `objectId`.
    private static func tagName(_ tag: ValueTag) -> String {
        tag == .uuid ? "uuid" : tag.name.prefix(1).lowercased() + tag.name.dropFirst()
    }
}

/// The texts of links in an Any, which must name their class.
private struct ReferenceTexts {
    private var classes: [ClassID: (name: String, keys: KeyTexts)] = [:]

    mutating func add(_ keys: KeyTexts, _ schema: ClassSchema) {
        classes[schema.id] = (schema.name, keys)
    }

    /// - Precondition: the object was among the keys.
    func append(_ reference: ObjectReference, to texts: TextColumn) {
        guard let (name, keys) = classes[reference.classID] else {
            preconditionFailure("a link without a looked-up key")
        }
        if keys.isReference(reference.rowID) {
            return keys.append(reference.rowID, to: texts)
        }
        texts.buffer.append("{\"$ref\":")
        texts.buffer.append(jsonString: name)
        texts.buffer.append(",\"id\":")
        keys.append(reference.rowID, to: texts)
        texts.buffer.append(UInt8(ascii: "}"))
    }
}
