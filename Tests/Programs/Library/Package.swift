// swift-tools-version: 6.2
import PackageDescription

// The object API beside GRDB in one program. This package is apart from that of Firn, so that users
// of Firn do not fetch GRDB.
let package = Package(
    name: "library",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "firn", path: "../../.."),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "library",
            dependencies: [
                .product(name: "Firn", package: "firn"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources")
    ]
)
