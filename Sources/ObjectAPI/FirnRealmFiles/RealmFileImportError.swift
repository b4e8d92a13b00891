import FirnPlatform
import FirnValues
public import Foundation
import RealmFile

/// An error in reading a file of Realm.
///
///     do {
///         try Realm.importRealmFile(at: old, encryptionKey: key)
///     } catch RealmFileImportError.Code.wrongKey {
///         ...
///     }
public struct RealmFileImportError: Error, Hashable, Sendable {
    /// The kinds of errors, each with its own remedy.
    public enum Code: Hashable, Sendable {
        /// The file is not a Realm file.
        case notRealmFile
        /// The file has a format version that cannot be read.
        ///
        /// Older files can be upgraded by opening them once with a version of Realm.
        case unsupportedVersion
        /// The file is encrypted, and no key was given.
        case keyRequired
        /// The key is not the key of the file, or does not have 64 bytes.
        case wrongKey
        /// The file ends before the end of its content.
        case truncated
        /// The file has content that Realm never writes.
        case damaged
        /// Another process has the file open, or changed it during the import.
        case inUse
    }

    /// The kind of error.
    public let code: Code
    /// The location of the Realm file.
    public let fileURL: URL
    /// The offset in the decrypted file at which the error was found, if known.
    public let position: UInt64?
    /// A description of the error and of its remedy, in one or two sentences.
    public let message: String

    init(_ error: RealmFileError, _ code: Code, _ fileURL: URL) {
        self.code = code
        self.fileURL = fileURL
        position = error.position
        var text = "\(fileURL.path): \(error.detail)"
        if code == .damaged, let position { text += ", at byte \(position)" }
        let remedy =
            switch code {
            case .keyRequired: "pass the 64 bytes of its key as encryptionKey"
            case .wrongKey: "pass the 64 bytes with which the app opens it"
            case .inUse: "close the app that uses it, or import a copy: copy: true"
            default: error.remedy
            }
        message = [text, remedy].compactMap(\.self).joined(separator: "; ")
    }
}

extension RealmFileImportError.Code {
    /// Matches an error by its kind, as in `catch RealmFileImportError.Code.wrongKey`.
    public static func ~= (code: RealmFileImportError.Code, error: any Error) -> Bool {
        (error as? RealmFileImportError)?.code == code
    }
}

extension RealmFileImportError: CustomStringConvertible, LocalizedError {
    /// A description of the error and of its remedy.
    public var description: String { message }
    /// A description of the error and of its remedy.
    public var errorDescription: String? { message }
}

extension RealmFileImportError.Code {
    /// The kind of an error of the reader, or `nil` if the system could not read the file.
    init?(_ code: RealmFileError.Code) {
        switch code {
        case .notRealm: self = .notRealmFile
        case .unknownVersion: self = .unsupportedVersion
        case .keyNeeded: self = .keyRequired
        case .wrongKey: self = .wrongKey
        case .truncated: self = .truncated
        case .damaged: self = .damaged
        case .inUse: self = .inUse
        case .unreadable: return nil
        }
    }
}
