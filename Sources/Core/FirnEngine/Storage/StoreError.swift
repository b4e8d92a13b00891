package import FirnPlatform
import FirnValues

/// A failure of the store: a code for callers, and texts for people.
package struct StoreError: Error, Hashable, Sendable {
    /// The kinds of failure; the command line gives each a stable slug and an exit status.
    package enum Code: Sendable {
        /// There is no file with that name.
        case missing
        /// A file with that name already exists.
        case exists
        /// The file does not begin like a Firn database or is not a regular file.
        case notADatabase
        /// Bytes differ from what was written; the store never returns wrong data instead.
        case corrupt
        /// The file has a newer format than this build reads.
        case formatTooNew
        /// The database was opened for reading, or is on read-only media.
        case readOnly
        case permissionDenied
        /// Another process holds the lock.
        case lockHeld
        /// The version is no longer kept, or does not exist yet.
        case versionGone
        /// There is no freeze with that name.
        case freezeMissing
        /// A freeze with that name already exists.
        case freezeExists
        /// The commit log of the file is missing beside it.
        case logMissing
        /// Another object of the class has the same key.
        case duplicateKey
        /// The object lacks a value for its primary key or a required property.
        case missingValue
        /// The value has a type other than that of the property, or is out of its range.
        case typeMismatch
        /// The value has the right type but is not valid for its property.
        ///
        /// It is out of the range of the integer width, an invalid key of a map, or a position
        /// after the end.
        case invalidValue
        /// The link refers to an object that does not exist.
        case danglingLink
        /// An embedded object has no parent or two parents.
        case embeddedParent
        case unknownClass
        case unknownProperty
        /// A class or property with that name already exists, or the definition contradicts itself.
        case invalidSchema
        case unknownObject
        /// No subscription of a replicated file selects a new object.
        case notSubscribed
        case diskFull
        case inputOutput
        /// An earlier sync failed, so this handle no longer writes.
        case poisoned
        /// A limit of the format or a configured one was reached.
        case limitExceeded
        /// The caller cancelled the operation.
        case cancelled
        /// There is an internal error in this program; the file is intact.
        case internalError
    }

    package let code: Code
    /// The database file as the user named it.
    package let path: String
    /// A description of the failure, without the path and without a final period.
    package let detail: String
    /// The action that the user can take, if any.
    package let remedy: String?
    /// The underlying error of the operating system, if any.
    package let cause: PlatformError?

    package init(
        _ code: Code, path: String, detail: String, remedy: String? = nil,
        cause: PlatformError? = nil
    ) {
        self.code = code
        self.path = path
        self.detail = detail
        self.remedy = remedy
        self.cause = cause
    }
}

extension StoreError {
    /// Creates an error from a failure of the operating system.
    ///
    /// - Parameter doing: A verb phrase for the attempted operation, such as `read the catalog`.
    package init(_ error: PlatformError, doing: String) {
        let code: Code
        let remedy: String?
        switch error.code {
        case .notFound, .invalidPath: (code, remedy) = (.missing, nil)
        case .alreadyExists, .notReplaceable:
            (code, remedy) = (.exists, "choose another name, or remove that file first")
        case .permissionDenied: (code, remedy) = (.permissionDenied, nil)
        case .readOnlyFileSystem: (code, remedy) = (.readOnly, nil)
        case .notARegularFile:
            (code, remedy) = (.notADatabase, "give the path of a regular file")
        case .diskFull:
            (code, remedy) = (.diskFull, PlatformError.diskFullRemedy)
        case .fileTooLarge:
            (code, remedy) = (.inputOutput, "raise the file size limit, or use another disk")
        case .inputOutput, .brokenPipe, .tooManyOpenFiles, .notOpen, .interrupted,
            .damagedCompression, .truncatedCompression, .invalidText, .other:
            (code, remedy) = (.inputOutput, nil)
        }
        self.init(
            code, path: error.path, detail: "could not \(doing): \(error.reason)",
            remedy: remedy, cause: error)
    }

    /// The remedy if a handle writes no more.
    static let reopening =
        "this process can no longer write to the database; close it and open it again"
    /// The remedy if, in addition, a commit may be on disk although it was not acknowledged.
    static let reopeningAndChecking = reopening + ", and check whether the commit is there"
    /// The remedy if the shared memory contradicts the log.
    static let reopeningEverywhere =
        "end all processes that have the database open, and open it again: the log beside it has "
        + "what was committed"

    /// Returns the error for bytes that differ from what was written.
    static func corrupt(_ path: String, _ detail: String) -> StoreError {
        StoreError(
            .corrupt, path: path, detail: detail,
            remedy: "restore a copy; `firn check` lists all that is damaged")
    }
}
