import FirnCodec
import FirnEngine
import FirnQuery
import FirnText
import FirnValues

/// The options for linked objects.
package struct ValueOptions: Sendable {
    /// The number of levels of linked objects that are written instead of their keys.
    package var depth = 0
    /// Whether 64-bit integers are strings.
    package var quotesInt64 = false
    package var linkStyle = LinkStyle.json
    /// Whether the writer takes links and collections as they are.
    package var keepsValues = false

    package init() {}
}

/// Converts vectors with links, collections and Any to JSON texts.
///
/// All objects of a batch at the same depth are looked up together, property by property.
package struct ValueRenderer {
    let lookup: any ObjectLookup
    let options: ValueOptions

    package init(lookup: any ObjectLookup, options: ValueOptions) {
        self.lookup = lookup
        self.options = options
    }

    /// The type of the values of a vector, and the objects that contain them.
    struct Context {
        var type: PropertyType
        var display: DisplayForm?
        /// The objects that have the values; `nil` for the rows of a result.
        var level: ObjectLevel?
        /// The index in ``level`` of the object of each value.
        var owners: [Int] = []
        /// The number of remaining levels of links that are written as objects.
        var depth: Int
        var style = LinkStyle.json
    }

    /// Returns one text per value; `null` for a null.
    func texts(
        _ vector: ColumnVector, _ context: Context
    ) throws(StoreError) -> TextColumn {
        switch context.type.container {
        case .list, .set: return try array(vector, context)
        case .map: return try object(vector, context)
        case .single: break
        }
        switch context.type.base {
        case .link: return try links(vector, context)
        case .any: return try anyTexts(vector)
        default: return scalars(vector, context)
        }
    }

    private func scalars(_ vector: ColumnVector, _ context: Context) -> TextColumn {
        let column = ResultColumn(name: "", type: context.type, display: context.display)
        let raw = RawBatch([column], quotesInt64: options.quotesInt64)
        raw.load(ResultBatch(rowCount: vector.count, vectors: [vector]))
        let texts = TextColumn()
        for row in 0..<vector.count {
            if raw.columns[0].isNull(row) {
                texts.buffer.append("null")
            } else {
                texts.buffer.append(jsonOf: raw.columns[0], row: row)
            }
            texts.endText()
        }
        return texts
    }

    /// Returns the texts of all elements of a vector of collections.
    private func elements(
        _ vector: ColumnVector, _ context: Context
    ) throws(StoreError) -> TextColumn {
        var inner = context
        inner.type = context.type.element
        inner.style = .json
        inner.owners = []
        if !context.owners.isEmpty {
            for row in 0..<vector.count {
                let count = Int(vector.offsets[row + 1] - vector.offsets[row])
                inner.owners.append(contentsOf: repeatElement(context.owners[row], count: count))
            }
        }
        return try texts(vector.children[0], inner)
    }

    private func array(
        _ vector: ColumnVector, _ context: Context
    ) throws(StoreError) -> TextColumn {
        let elements = try elements(vector, context)
        let texts = TextColumn()
        for row in 0..<vector.count {
            let range = Int(vector.offsets[row])..<Int(vector.offsets[row + 1])
            texts.buffer.append(UInt8(ascii: "["))
            for index in range {
                if index > range.lowerBound { texts.buffer.append(UInt8(ascii: ",")) }
                texts.append(index, of: elements)
            }
            texts.buffer.append(UInt8(ascii: "]"))
            texts.endText()
        }
        return texts
    }

    private func object(
        _ vector: ColumnVector, _ context: Context
    ) throws(StoreError) -> TextColumn {
        let elements = try elements(vector, context)
        let keys = scalars(
            vector.children[1], Context(type: PropertyType(.string), depth: 0))
        let texts = TextColumn()
        for row in 0..<vector.count {
            let range = Int(vector.offsets[row])..<Int(vector.offsets[row + 1])
            texts.buffer.append(UInt8(ascii: "{"))
            for index in range {
                if index > range.lowerBound { texts.buffer.append(UInt8(ascii: ",")) }
                texts.append(index, of: keys)
                texts.buffer.append(UInt8(ascii: ":"))
                texts.append(index, of: elements)
            }
            texts.buffer.append(UInt8(ascii: "}"))
            texts.endText()
        }
        return texts
    }
}
