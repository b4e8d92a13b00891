package import FirnColumnar
package import FirnPlatform
package import FirnText
import FirnValues

/// The rows of a Parquet or Arrow file as records.
package final class ColumnarRecords: RecordSource {
    package let name: String
    private let reader: any ColumnarReader
    private var batch = ColumnarBatch(rowCount: 0, columns: [])
    private var row = 0
    /// The number of the last row, from 1.
    package private(set) var line: UInt64 = 0

    package init(_ reader: any ColumnarReader, name: String) {
        self.reader = reader
        self.name = name
    }

    package var columnNames: [String]? { reader.fields.map(\.name) }
    /// The size of a row in the file is unknown.
    package var bytesRead: UInt64 { 0 }
    package var hasInput: Bool { true }
    /// A record that is rejected leaves the next one readable; damage does not.
    package var canContinue: Bool { true }

    package func takeBroken() -> BrokenRecord { .bytes([]) }

    package func next() throws(InputError) -> ImportItem? {
        while row == batch.rowCount {
            do {
                guard let next = try reader.next() else { return nil }
                batch = next
            } catch { throw InputError(error, name: name) }
            row = 0
        }
        line += 1
        let position = TextPosition(offset: 0, line: line)
        var fields: [JSONTree.Member] = []
        fields.reserveCapacity(batch.columns.count)
        for (index, field) in reader.fields.enumerated() {
            let value = ColumnarValue.tree(batch.columns[index], row, at: position)
            fields.append(JSONTree.Member(name: field.name, value: value))
        }
        row += 1
        return .record(
            ImportRecord(className: nil, fields: fields, position: position, cells: nil))
    }
}

/// Reads the bytes of an input for Arrow.
package final class ColumnarByteSource: ColumnarSource {
    private let source: any ByteSource

    package init(_ source: any ByteSource) { self.source = source }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        try source.read(into: buffer)
    }
}

extension InputError {
    package init(_ error: ColumnarError, name: String) {
        if case .system(let cause) = error.code {
            self.init(cause, name: name)
            return
        }
        let code: Code
        switch error.code {
        case .damaged: code = .syntax
        case .unsupported, .unrepresentable: code = .type
        case .tooLarge: code = .limit
        case .system: code = .unreadable
        }
        self.init(code, error.text, name: name, remedy: error.remedy)
    }
}
