import FirnEngine
public import Foundation

extension Realm {
    /// Why a database could not be opened, written or copied.
    ///
    ///     do {
    ///         let realm = try Realm()
    ///     } catch Realm.Error.fileNotFound {
    ///         ...
    ///     }
    ///
    /// Mistakes in the program, such as a write outside of a transaction, are not thrown: they stop
    /// the program with a message.
    public struct Error: Swift.Error, Hashable, Sendable {
        /// What kind of failure it is.
        public let code: Code
        /// The file, if there is one.
        public let fileURL: URL?
        /// What happened and what to do about it, in a sentence or two.
        public let message: String

        init(_ code: Code, fileURL: URL? = nil, _ message: String) {
            self.code = code
            self.fileURL = fileURL
            self.message = message
        }
    }
}

extension Realm.Error {
    /// The kinds of failure.
    public enum Code: Int, Sendable {
        /// What no other kind describes.
        case fail = 1
        /// The file could not be read or written.
        case fileAccess = 2
        /// The user may not open, create or change the file.
        case filePermissionDenied = 3
        /// A file is there where none may be.
        case fileExists = 4
        /// There is no such file.
        case fileNotFound = 5
        /// The file is of an older format and would have to be upgraded.
        case fileFormatUpgradeRequired = 6
        /// What lies beside the file for its processes is of another build.
        case incompatibleLockFile = 8
        /// No memory is left to map the file.
        case addressSpaceExhausted = 9
        /// The classes of the program do not fit those of the file, and a migration would be needed.
        case schemaMismatch = 10
        /// The file is open already, in another way.
        case alreadyOpen = 12
        /// A value that was given is not valid.
        case invalidInput = 13
        /// The disk is full.
        case outOfDiskSpace = 14
        /// The sync session of the file is of another kind.
        case incompatibleSession = 15
        /// The file is of a newer format than this build reads.
        case unsupportedFileFormatVersion = 16
        /// Two processes synchronise the same file.
        case multipleSyncAgents = 17
        /// A subscription was refused.
        case subscriptionFailed = 18
        /// An operation on files failed.
        case fileOperationFailed = 19
        /// The file is no database, or is damaged.
        case invalidDatabase = 20
        /// The histories of two files do not go together.
        case incompatibleHistories = 21
        /// An object would be written that no subscription covers.
        case noSubscriptionForWrite = 22
    }

    /// A block threw an error of its own that cannot be passed on.
    public static var callFailed: Code { .fail }
    /// See ``Code/fail``.
    public static var fail: Code { .fail }
    /// See ``Code/fileAccess``.
    public static var fileAccess: Code { .fileAccess }
    /// See ``Code/filePermissionDenied``.
    public static var filePermissionDenied: Code { .filePermissionDenied }
    /// See ``Code/fileExists``.
    public static var fileExists: Code { .fileExists }
    /// See ``Code/fileNotFound``.
    public static var fileNotFound: Code { .fileNotFound }
    /// See ``Code/fileFormatUpgradeRequired``.
    public static var fileFormatUpgradeRequired: Code { .fileFormatUpgradeRequired }
    /// See ``Code/incompatibleLockFile``.
    public static var incompatibleLockFile: Code { .incompatibleLockFile }
    /// See ``Code/addressSpaceExhausted``.
    public static var addressSpaceExhausted: Code { .addressSpaceExhausted }
    /// See ``Code/schemaMismatch``.
    public static var schemaMismatch: Code { .schemaMismatch }
    /// See ``Code/alreadyOpen``.
    public static var alreadyOpen: Code { .alreadyOpen }
    /// See ``Code/invalidInput``.
    public static var invalidInput: Code { .invalidInput }
    /// See ``Code/outOfDiskSpace``.
    public static var outOfDiskSpace: Code { .outOfDiskSpace }
    /// See ``Code/incompatibleSession``.
    public static var incompatibleSession: Code { .incompatibleSession }
    /// See ``Code/unsupportedFileFormatVersion``.
    public static var unsupportedFileFormatVersion: Code { .unsupportedFileFormatVersion }
    /// See ``Code/multipleSyncAgents``.
    public static var multipleSyncAgents: Code { .multipleSyncAgents }
    /// See ``Code/subscriptionFailed``.
    public static var subscriptionFailed: Code { .subscriptionFailed }
    /// See ``Code/fileOperationFailed``.
    public static var fileOperationFailed: Code { .fileOperationFailed }
    /// See ``Code/invalidDatabase``.
    public static var invalidDatabase: Code { .invalidDatabase }
    /// See ``Code/incompatibleHistories``.
    public static var incompatibleHistories: Code { .incompatibleHistories }
    /// See ``Code/noSubscriptionForWrite``.
    public static var noSubscriptionForWrite: Code { .noSubscriptionForWrite }
}

extension Realm.Error.Code {
    /// Matches an error by its kind, as in `catch Realm.Error.fileNotFound`.
    public static func ~= (code: Realm.Error.Code, error: any Swift.Error) -> Bool {
        (error as? Realm.Error)?.code == code
    }
}

extension Realm.Error: CustomStringConvertible, LocalizedError {
    /// What happened and what to do about it.
    public var description: String { message }
    /// What happened and what to do about it.
    public var errorDescription: String? { message }
}

extension Realm.Error {
    /// What the store says, for users of the API.
    init(_ error: StoreError) {
        let message = [error.detail, error.remedy].compactMap(\.self).joined(separator: "; ")
        self.init(
            Code(error.code), fileURL: URL(fileURLWithPath: error.path),
            "\(error.path): \(message)")
    }
}

extension Realm.Error.Code {
    init(_ code: StoreError.Code) {
        self =
            switch code {
            case .missing: .fileNotFound
            case .exists: .fileExists
            case .notADatabase, .corrupt, .logMissing: .invalidDatabase
            case .formatTooNew: .unsupportedFileFormatVersion
            case .readOnly, .permissionDenied: .filePermissionDenied
            case .diskFull: .outOfDiskSpace
            case .inputOutput, .poisoned: .fileAccess
            case .lockHeld: .alreadyOpen
            case .invalidSchema, .unknownClass, .unknownProperty: .schemaMismatch
            case .versionGone, .freezeMissing, .freezeExists, .duplicateKey, .missingValue,
                .typeMismatch, .invalidValue, .danglingLink, .embeddedParent, .unknownObject,
                .limitExceeded, .cancelled, .internalError:
                .fail
            }
    }
}
