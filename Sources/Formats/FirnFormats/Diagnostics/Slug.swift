/// The stable names of all errors, as `--errors json` shows them in `code`.
///
/// This is the only list; a slug is never renamed or given another meaning.
package enum Slug: String, Sendable, CaseIterable {
    case usageArguments = "usage.arguments"
    case usageUnknownCommand = "usage.unknown-command"
    case usageQuery = "usage.query"
    case fileMissing = "file.missing"
    case fileExists = "file.exists"
    case fileNotADatabase = "file.not-a-database"
    case fileCorrupt = "file.corrupt"
    case fileFormatTooNew = "file.format-too-new"
    case fileReadOnly = "file.read-only"
    case filePermission = "file.permission"
    case fileNotRegular = "file.not-regular"
    case fileLogMissing = "file.log-missing"
    case lockHeld = "lock.held"
    case historyGone = "history.gone"
    case historyToken = "history.token"
    case freezeMissing = "freeze.missing"
    case freezeExists = "freeze.exists"
    case writeDuplicateKey = "write.duplicate-key"
    case writeMissingKey = "write.missing-key"
    case writeMissingValue = "write.missing-value"
    case writeType = "write.type"
    case writeValue = "write.value"
    case writeDanglingLink = "write.dangling-link"
    case writeAmbiguousLink = "write.ambiguous-link"
    case writeEmbedded = "write.embedded"
    case writeConflict = "write.conflict"
    case writeUnknownClass = "write.unknown-class"
    case writeUnknownProperty = "write.unknown-property"
    case writeUnknownObject = "write.unknown-object"
    case writeSchema = "write.schema"
    case writeSubscription = "write.subscription"
    case querySyntax = "query.syntax"
    case queryUnknownClass = "query.unknown-class"
    case queryUnknownProperty = "query.unknown-property"
    case queryType = "query.type"
    case queryMissingParameter = "query.missing-parameter"
    case queryLimit = "query.limit"
    case queryNotOne = "query.not-one"
    case queryCancelled = "query.cancelled"
    case queryTimeout = "query.timeout"
    case commandTimeout = "command.timeout"
    case inputSyntax = "input.syntax"
    case inputEncoding = "input.encoding"
    case inputLimit = "input.limit"
    case inputUnreadable = "input.unreadable"
    case inputNotAFile = "input.not-a-file"
    case transactionFailed = "transaction.failed"
    case transactionOpen = "transaction.open"
    case transactionMissing = "transaction.missing"
    case safeRefused = "safe.refused"
    case limitExceeded = "limit.exceeded"
    case diskFull = "disk.full"
    case outputFailed = "output.failed"
    case outputAfterCommit = "output.after-commit"
    case outputCannotCreate = "output.cannot-create"
    case inputOutput = "io.failed"
    case configInvalid = "config.invalid"
    case configUnreadable = "config.unreadable"
    case internalError = "internal"

    /// The exit status of a command that fails with this error.
    package var status: ExitStatus {
        switch self {
        case .usageArguments, .usageUnknownCommand, .usageQuery, .transactionMissing: .usage
        case .fileMissing, .inputNotAFile, .freezeMissing, .queryUnknownClass, .writeUnknownClass:
            .noInput
        case .historyGone: .unavailable
        case .fileExists, .freezeExists, .fileNotRegular, .outputCannotCreate: .cannotCreate
        case .fileReadOnly, .filePermission, .safeRefused: .noPermission
        case .fileNotADatabase, .writeDuplicateKey, .writeMissingKey, .writeMissingValue,
            .writeType, .writeValue, .writeDanglingLink, .writeAmbiguousLink, .writeEmbedded,
            .writeUnknownProperty, .writeUnknownObject, .writeSchema, .writeSubscription,
            .querySyntax,
            .queryUnknownProperty, .queryType, .queryMissingParameter, .queryLimit,
            .historyToken, .inputSyntax, .inputEncoding, .inputLimit, .limitExceeded,
            .transactionFailed,
            .transactionOpen:
            .data
        case .queryNotOne: .no
        case .configInvalid, .configUnreadable: .configuration
        case .queryTimeout, .commandTimeout: .timeout
        case .lockHeld, .writeConflict: .temporaryFailure
        case .outputAfterCommit: .unreported
        case .fileCorrupt, .fileLogMissing, .fileFormatTooNew, .inputUnreadable, .diskFull,
            .outputFailed,
            .inputOutput:
            .inputOutput
        // The operation that gives up reports the reason.
        case .queryCancelled, .internalError: .software
        }
    }
}
