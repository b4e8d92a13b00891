import Firn
import FirnEngine
import FirnPlatform
import FirnValues
import Foundation
import RealmFile

/// A Realm file that is opened for an import, or a temporary copy of it.
struct RealmFileSource {
    let reader: RealmReader
    /// The copy, kept as long as it is needed.
    private let copy: TemporaryCopy?

    /// - Parameter destination: the path beside which a copy is made; `nil` to read the file itself.
    init(
        _ fileURL: URL, key: [UInt8]?, copiedBeside destination: String?,
        _ services: SystemServices
    ) throws {
        let path = fileURL.path
        if destination == nil, AdvisoryLock.isHeld(path + ".lock") {
            throw RealmFileImportError(
                RealmFileError(.inUse, "another process has the file open and may change it"),
                .inUse, fileURL)
        }
        do {
            let original = try RealmFileSource.attempt("read the Realm file") {
                () throws(PlatformError) in
                try FileAccessor(try services.files.open(path, .readOnly))
            }
            copy = try destination.map { destination throws(StoreError) in
                try TemporaryCopy(of: original, beside: destination, services)
            }
            reader = try RealmReader(copy?.content ?? original, key: key)
            // A commit during the copying can have overwritten a part of the state in the copy.
            if copy != nil { try reader.checkUnchanged(in: original) }
        } catch let error as StoreError {
            throw Realm.Error(error)
        } catch let error as RealmFileError {
            throw RealmFileSource.error(error, fileURL)
        }
    }

    /// Returns the public form of an error of the reader.
    static func error(_ error: RealmFileError, _ fileURL: URL) -> any Swift.Error {
        if let code = RealmFileImportError.Code(error.code) {
            return RealmFileImportError(error, code, fileURL)
        }
        guard let cause = error.cause else {
            return Realm.Error(.fileAccess, fileURL: fileURL, "\(fileURL.path): \(error.detail)")
        }
        return Realm.Error(StoreError(cause, doing: "read the Realm file"))
    }

    fileprivate static func attempt<Result>(
        _ what: String, _ body: () throws(PlatformError) -> Result
    ) throws(StoreError) -> Result {
        do { return try body() } catch { throw StoreError(error, doing: what) }
    }
}

/// A copy of a file, which is removed with this object.
private final class TemporaryCopy {
    private static let pieceBytes = 1 << 20

    let content: FileAccessor
    private let path: String
    private let files: any FileSystem

    init(
        of original: FileAccessor, beside destination: String, _ services: SystemServices
    ) throws(StoreError) {
        let path = TemporaryName.beside(destination, extension: "tmp", services.entropy)
        let files = services.files
        content = try RealmFileSource.attempt("copy the Realm file") { () throws(PlatformError) in
            let file = try files.open(path, .createNew)
            do throws(PlatformError) {
                try TemporaryCopy.copy(original, to: file)
                return try FileAccessor(file)
            } catch {
                try? files.remove(path)
                throw error
            }
        }
        self.path = path
        self.files = files
    }

    // An error is ignored: a leftover file only takes space.
    deinit { try? files.remove(path) }

    private static func copy(_ original: FileAccessor, to file: any File) throws(PlatformError) {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
        defer { piece.deallocate() }
        var done: UInt64 = 0
        while true {
            let count = try original.read(at: done, into: piece)
            guard count > 0 else { return }
            try file.write(UnsafeRawBufferPointer(rebasing: piece[..<count]), at: done)
            done += UInt64(count)
        }
    }
}
