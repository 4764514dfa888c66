// SPDX-License-Identifier: MIT
// The declarations of UIKit that Tests/Apple uses in Objective-C; nothing here does anything.
@import Foundation;

@interface UIResponder : NSObject
@end
@protocol UIApplicationDelegate <NSObject>
@end
int UIApplicationMain(int argc, char *argv[], NSString *kind, NSString *delegate);
