import FirnCodec
import FirnValues

/// The values that a property may hold.
extension WriteTransaction {
    /// The longest text in bytes.
    ///
    /// Even together with the content of a row group before it is closed, it is far below the limit
    /// of a page.
    static let textByteCountMaximum = 64 << 20
    /// The longest element of a collection or Any in bytes, which must fit into a tree node.
    package static let elementByteCountMaximum = CodecLimits.taggedBytesMax - 64
    /// The deepest nesting of lists and maps inside an Any.
    static let nestingMaximum = 128

    /// Returns the value in the form in which it is stored, or throws if it is not valid for the
    /// property.
    ///
    /// Sets are returned in their order and without duplicates.
    func checked(
        _ value: Value, for property: PropertySchema, of schema: ClassSchema
    ) throws(StoreError) -> Value {
        let type = property.type
        switch (type.container, value) {
        case (.single, _):
            try checkElement(value, property, schema)
            return value
        case (.list, .list(let values)):
            for value in values { try checkElement(value, property, schema) }
            return value
        case (.set, .set(let values)), (.set, .list(let values)):
            for value in values { try checkElement(value, property, schema) }
            return .set(values.canonicalSet)
        case (.map, .map(let entries)):
            for (key, value) in entries {
                try checkKey(key, property, schema)
                try checkElement(value, property, schema)
            }
            return value
        case (_, .null): return type.emptyCollection
        default: throw mismatch(value, property, schema)
        }
    }

    /// Checks a single value, or an element of a collection.
    func checkElement(
        _ value: Value, _ property: PropertySchema, _ schema: ClassSchema
    ) throws(StoreError) {
        let type = property.type
        guard !value.isNull else {
            guard !type.mayBeNull else { return }
            let what = type.container == .single ? "" : "an element of "
            throw StoreError(
                .missingValue, path: store.path,
                detail: "\(what)property \(property.name) of \(schema.name) must have a value")
        }
        guard type.base != .any else {
            try checkAny(value, property, schema, depth: 0)
            return try checkSize(value.approximateByteCount, property, schema)
        }
        guard value.tag == type.base else { throw mismatch(value, property, schema) }
        switch value {
        case .int(let number):
            guard type.integerWidth.range.contains(number) else {
                throw StoreError(
                    .invalidValue, path: store.path,
                    detail: "\(number) is out of the range of \(property.name) of "
                        + "\(schema.name), which is \(type.integerWidth.typeName)")
            }
        case .string(let text): try checkSize(text.utf8.count, property, schema)
        case .data(let bytes): try checkSize(bytes.count, property, schema)
        case .link(let reference):
            guard reference.classID == type.target else { throw mismatch(value, property, schema) }
        default: break
        }
    }

    private func checkAny(
        _ value: Value, _ property: PropertySchema, _ schema: ClassSchema, depth: Int
    ) throws(StoreError) {
        guard depth < WriteTransaction.nestingMaximum else {
            throw StoreError(
                .invalidValue, path: store.path,
                detail: "lists and maps inside of \(property.name) of \(schema.name) are nested "
                    + "more than \(WriteTransaction.nestingMaximum) levels deep")
        }
        switch value {
        case .string(let text): try checkSize(text.utf8.count, property, schema)
        case .data(let bytes): try checkSize(bytes.count, property, schema)
        case .list(let values):
            for value in values { try checkAny(value, property, schema, depth: depth + 1) }
        case .map(let entries):
            for (key, value) in entries {
                try checkKey(key, property, schema)
                try checkAny(value, property, schema, depth: depth + 1)
            }
        case .set: throw mismatch(value, property, schema)
        case .link(let reference):
            guard let target = overlay.catalog[reference.classID]?.schema, !target.isEmbedded else {
                throw mismatch(value, property, schema)
            }
        default: break
        }
    }

    /// Checks the key of a map, which is any text: the names in other programs' data have dots and signs.
    func checkKey(
        _ key: String, _ property: PropertySchema, _ schema: ClassSchema
    ) throws(StoreError) {
        try checkSize(key.utf8.count, property, schema)
    }

    private func checkSize(
        _ byteCount: Int, _ property: PropertySchema, _ schema: ClassSchema
    ) throws(StoreError) {
        let isWhole = property.type.container == .single && property.type.base != .any
        let maximum =
            isWhole
            ? WriteTransaction.textByteCountMaximum : WriteTransaction.elementByteCountMaximum
        guard byteCount <= maximum else {
            throw StoreError(
                .limitExceeded, path: store.path,
                detail: "a value of \(byteCount) bytes for property \(property.name) of "
                    + "\(schema.name), at most \(maximum) fit")
        }
    }

    func mismatch(
        _ value: Value, _ property: PropertySchema, _ schema: ClassSchema
    ) -> StoreError {
        let kind =
            if case .link(let reference) = value {
                "a link to \(overlay.catalog[reference.classID]?.schema.name ?? "nothing")"
            } else {
                "\(value.tag.name) \(value.shortened)"
            }
        return StoreError(
            .typeMismatch, path: store.path,
            detail: "property \(property.name) of \(schema.name) is "
                + "\(self.schema.typeName(property.type)), not \(kind)")
    }
}

extension Value {
    /// The literal, truncated for an error message.
    var shortened: String {
        let text = quoted
        return text.unicodeScalars.count <= 60
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(57))) + "..."
    }
}
