package import FirnEngine
import FirnPlatform
import FirnValues
import Foundation

/// Creating the file of a configuration without opening it, for other modules.
extension Realm.Configuration {
    /// Returns the path of the file to create.
    ///
    /// - Throws: ``Realm/Error`` with `invalidInput` if the realm is in memory or for reading only.
    package func newFilePath() throws(Realm.Error) -> String {
        try check()
        guard inMemoryIdentifier == nil, !readOnly else {
            let kind = readOnly ? "is opened for reading only" : "is in memory"
            throw Realm.Error(
                .invalidInput, fileURL: fileURL,
                "a realm that \(kind) cannot be created from a file; use a configuration with a "
                    + "fileURL")
        }
        createDefaultFolder()
        return try path()
    }

    /// Creates the folder of the default file, if that is the file of the configuration.
    func createDefaultFolder() {
        guard fileURL == Realm.Configuration.defaultFileURL else { return }
        // If this fails, creating the file reports the cause.
        try? FileManager.default.createDirectory(
            at: Realm.Configuration.defaultFileURL.deletingLastPathComponent(),
            withIntermediateDirectories: true)
    }

    /// The classes of the model, as a file stores them.
    package var modelDefinitions: [ClassDefinition] {
        ModelSchema(self, path: fileURL?.path ?? "").layouts.map(\.storedDefinition)
    }
}
