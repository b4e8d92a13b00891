package import FirnPlatform
import FirnValues

/// An error in reading a Realm file: its kind, its position, and how to proceed.
package struct RealmFileError: Error, Hashable, Sendable {
    /// The kinds of errors, each with its own remedy.
    package enum Code: Hashable, Sendable {
        /// Bytes that are not a Realm file.
        case notRealm
        /// A version of the format that was never published or that this reader does not know.
        case unknownVersion
        /// The file is encrypted, and no key was given.
        case keyNeeded
        /// A key with which the first page cannot be decrypted, or of a wrong length.
        case wrongKey
        /// The file ends before the end of its content.
        case truncated
        /// Content that Realm never writes.
        case damaged
        /// Another process has the file open, or changed it while it was read.
        case inUse
        /// The system could not read the file.
        case unreadable
    }

    package let code: Code
    /// The offset in the decrypted file at which the error was found, if known.
    package let position: UInt64?
    /// A description without the name of the file.
    package let detail: String
    /// The error of the system, if there is one.
    package let cause: PlatformError?

    package init(
        _ code: Code, _ detail: String, at position: UInt64? = nil, cause: PlatformError? = nil
    ) {
        self.code = code
        self.position = position
        self.detail = detail
        self.cause = cause
    }

    /// Content, at a position, that Realm never writes.
    static func damaged(_ detail: String, at position: UInt64) -> RealmFileError {
        RealmFileError(.damaged, detail, at: position)
    }

    /// The next step for the user; `nil` if the error of the system explains it.
    package var remedy: String? {
        switch code {
        case .notRealm: "name a .realm file; an encrypted one needs its key"
        case .unknownVersion:
            "open it once for writing with Realm itself, in a version that upgrades it to one of "
                + "these formats"
        case .keyNeeded: "give the 64 bytes of its key"
        case .wrongKey: "give the 64 bytes with which the app opens it"
        case .truncated: "copy the file again, completely, while no process has it open"
        case .damaged: "take an older copy of the file, or let Realm write a copy (writeCopy)"
        case .inUse: "close the app that uses the file, or make a copy of it and read that"
        case .unreadable: nil
        }
    }
}
