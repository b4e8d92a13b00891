import FirnCodec
package import FirnEngine
import FirnPlatform
import FirnValues

/// The files of a database, held in memory and written back to disk later.
package struct DatabaseImage: Equatable {
    /// The files by the suffix after the name of the database.
    private let files: [String: [UInt8]]

    package static let suffixes = ["", "-log0", "-log1", "-shm"]

    /// Reads the files of a database.
    package init(of path: String) throws {
        var files: [String: [UInt8]] = [:]
        for suffix in Self.suffixes {
            guard try SystemFileSystem().status(of: path + suffix) != nil else { continue }
            files[suffix] = try Self.bytes(of: path + suffix)
        }
        self.files = files
    }

    /// Whether there is a log beside the database.
    package var hasLog: Bool { files["-log0"] != nil && files["-shm"] != nil }

    package func put(at path: String) throws {
        for (suffix, bytes) in files { try Self.put(bytes, at: path + suffix) }
    }

    package static func put(_ bytes: [UInt8], at path: String) throws {
        let file = try SystemFileSystem().open(path, .createNew)
        try bytes.withUnsafeBytes { buffer in try file.write(buffer, at: 0) }
    }

    package static func bytes(of path: String) throws -> [UInt8] {
        let file = try SystemFileSystem().open(path, .readOnly)
        var bytes = [UInt8](repeating: 0, count: Int(try file.status().size))
        let count = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
        guard count == bytes.count else { throw ProgramError("\(path) became shorter") }
        return bytes
    }
}

/// The content of the newest version of a database.
package struct DatabaseContent: Hashable, CustomStringConvertible {
    package let lines: [String]

    package init(_ store: Store) throws {
        let snapshot = try store.snapshot()
        var lines = try store.versions().freezes.map { "freeze \($0.freeze.name)" }.sorted()
        for schema in snapshot.schema.classes.sorted(by: { $0.name < $1.name }) {
            let names = schema.properties.map(\.name)
            lines.append("class \(schema.name): \(names)")
            guard let table = snapshot.table(schema.id) else { continue }
            for group in try table.rowGroups() {
                let live = try group.liveRows()
                let columns = try schema.properties.map { try group.column($0) }
                for row in 0..<group.rowCount where live.map({ $0[row] }) ?? true {
                    lines.append("\(columns.map { $0.value(at: row) })")
                }
            }
        }
        self.lines = lines
    }

    /// Reads without changing anything.
    package init(at path: String) throws { try self.init(Store.open(path, readOnly: true)) }

    package var description: String { lines.joined(separator: "\n") }
}
