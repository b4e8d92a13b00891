import FirnPlatform
import FirnTesting
import Glibc
import Testing

/// The file systems that must behave the same.
enum TestedFileSystem: CaseIterable, CustomTestStringConvertible {
    case real
    case simulated
    case memory

    /// Whether there can be special files, such as a FIFO.
    var hasSpecialFiles: Bool { self != .memory }

    var testDescription: String { "\(self)" }

    func make() -> FileFixture {
        switch self {
        case .real:
            let folder = TemporaryFolder()
            mkdir(folder("folder"), 0o700)
            mkfifo(folder("fifo"), 0o600)
            return FileFixture(files: SystemFileSystem(), root: folder.path, owner: folder)
        case .simulated:
            let disk = SimulatedFileSystem()
            disk.makeFolder("/root/folder")
            disk.makeSpecialFile("/root/fifo")
            return FileFixture(files: disk, root: "/root", owner: nil)
        case .memory:
            let memory = MemoryFileSystem()
            // A folder in place of the FIFO: neither can be opened or created.
            for name in ["/root", "/root/folder", "/root/fifo"] {
                do { try memory.makeFolder(name) } catch { Issue.record(error) }
            }
            return FileFixture(files: memory, root: "/root", owner: nil)
        }
    }
}

/// A file system with an empty folder that contains a `folder` and a `fifo`.
struct FileFixture {
    let files: any FileSystem
    let root: String
    /// Removes the folder of the real file system when the test ends.
    let owner: TemporaryFolder?

    func path(_ name: String) -> String { "\(root)/\(name)" }

    func create(_ name: String, _ bytes: [UInt8] = []) throws -> any File {
        let file = try files.open(path(name), .createNew)
        try file.put(bytes, at: 0)
        return file
    }

    func open(_ name: String, _ mode: OpenMode = .readWrite) throws -> any File {
        try files.open(path(name), mode)
    }
}

extension File {
    func put(_ bytes: [UInt8], at offset: UInt64) throws(PlatformError) {
        let reason: PlatformError? = bytes.withUnsafeBytes { buffer in
            do throws(PlatformError) {
                try write(buffer, at: offset)
                return nil
            } catch { return error }
        }
        if let reason { throw reason }
    }

    func get(_ count: Int, at offset: UInt64 = 0) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0xEE, count: count)
        let got = try bytes.withUnsafeMutableBytes { try read(at: offset, into: $0) }
        return Array(bytes[..<got])
    }
}

/// The code of the error that the body throws; `nil` if it throws none.
func code(_ body: () throws -> Void) -> PlatformError.Code? {
    do {
        try body()
        return nil
    } catch let error as PlatformError {
        return error.code
    } catch {
        return nil
    }
}
