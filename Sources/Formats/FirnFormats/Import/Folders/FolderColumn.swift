import FirnColumnar
import FirnText
import FirnValues

/// A column whose value is in the name of a folder, `carrier=UA`, for all rows of the files in it.
package struct FolderColumn: Hashable, Sendable {
    package let name: String
    /// The value; `nil` for null.
    let value: String?
    /// Whether the values of all folders are whole numbers.
    var isInteger = false

    /// Returns the columns of files.
    ///
    /// - Parameter names: the names of the folders around each file, from the outer to the inner one.
    package static func all(of names: [[String]]) -> [[FolderColumn]] {
        var all = names.map { $0.compactMap(FolderColumn.init) }
        var texts: TextSet = []
        for column in all.joined() {
            guard let value = column.value else { continue }
            if Int64(value).map({ $0.description != value }) ?? true { texts.insert(column.name) }
        }
        for file in all.indices {
            for index in all[file].indices {
                all[file][index].isInteger = !texts.contains(all[file][index].name)
            }
        }
        return all
    }

    /// - Returns: `nil` for a folder whose name is not of the form `NAME=VALUE`.
    private init?(_ folder: String) {
        guard let (left, value) = folder.cut(at: "="), !left.isEmpty else { return nil }
        name = OutsideName.valid(PartitionName.decoded(left.utf8))
        self.value =
            value.utf8.elementsEqual(PartitionName.null) ? nil : PartitionName.decoded(value.utf8)
    }

    // MARK: Forms of the value

    /// The value as a member of an object.
    var json: JSONTree.Member {
        let content: JSONTree.Content =
            if let value { isInteger ? .number(value) : .string(value) } else { .null }
        return JSONTree.Member(
            name: name, value: JSONTree(content, at: TextPosition(offset: 0, line: 1)))
    }

    /// The field of a file with typed columns.
    var field: ColumnarField {
        ColumnarField(name, isInteger ? .int(bits: 64, isSigned: true) : .string)
    }

    /// Returns a column that repeats the value for a number of rows.
    func column(rowCount: Int) -> ColumnarColumn {
        let column = ColumnarColumn(field.type)
        column.count = rowCount
        let text = value.map { Array($0.utf8) } ?? []
        if isInteger {
            column.ints = [Int64](repeating: value.flatMap { Int64($0) } ?? 0, count: rowCount)
        } else {
            column.bytes.reserveCapacity(text.count * rowCount)
            for _ in 0..<rowCount {
                column.bytes += text
                column.offsets.append(UInt32(clamping: column.bytes.count))
            }
        }
        if value == nil { column.validity = [UInt64](repeating: 0, count: (rowCount + 63) / 64) }
        return column
    }
}
